/** Todos: what is to be done. */

import type { Section } from '../../lib/section';
import type shell from './messages/shell.ko.json';
import type todayPart from './messages/today.ko.json';
import type todos from './messages/todos.ko.json';
import type windows from './messages/windows.ko.json';

export default {
  path: '/todos',
  name: 'todos.name',
  icon: 'M4 6.5 5.5 8 8.5 5M4 12.5 5.5 14l3-3M4 18.5 5.5 20l3-3M12 6.5h8M12 12.5h8M12 18.5h8',
  group: 'everyday',
  order: 20,
  keys: 'g t',
  page: () => import('./Todos.svelte'),
} satisfies Section;

declare module '../../lib/i18n.svelte' {
  interface Catalogues { todos: typeof todos & typeof shell & typeof todayPart & typeof windows }
}

declare module '../../lib/events.svelte' {
  interface Subjects { todos: true; todo_reminders: true }
}
