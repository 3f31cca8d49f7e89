/** Todos: what is to be done. */

import type { Section } from '../../lib/section';

export default {
  path: '/todos',
  name: 'todos.name',
  icon: 'M4 6.5 5.5 8 8.5 5M4 12.5 5.5 14l3-3M4 18.5 5.5 20l3-3M12 6.5h8M12 12.5h8M12 18.5h8',
  group: 'everyday',
  order: 20,
  keys: 'g t',
  page: () => import('./Todos.svelte'),
} satisfies Section;
