/** Plants: what needs water. */

import type { Section } from '../../lib/section';

export default {
  path: '/plants',
  name: 'plants.name',
  icon: 'M12 21v-9M12 12C12 7.5 8.5 5 4 5c0 4.5 3.5 7 8 7ZM12 14.5c0-4 3-6 8-6 0 4-3 6-8 6Z',
  group: 'everyday',
  order: 25,
  keys: 'g p',
  page: () => import('./Plants.svelte'),
  inner: [{ path: '/:id', name: 'plants.name', page: () => import('./Plant.svelte') }],
} satisfies Section;
