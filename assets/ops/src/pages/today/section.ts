/** Today: what needs the household now. */

import type { Section } from '../../lib/section';

export default {
  path: '/',
  name: 'today.name',
  icon: 'M4 11.5 12 5l8 6.5M6 10.5V19h12v-8.5M10 19v-4.5h4V19',
  group: 'first',
  order: 0,
  keys: 'g d',
  page: () => import('./Today.svelte'),
} satisfies Section;
