/** Trade: the account at the broker, and the orders. */

import type { Section } from '../../lib/section';

export default {
  path: '/trade',
  name: 'trade.name',
  icon: 'M7.5 19V5M7.5 5 4 8.5M7.5 5 11 8.5M16.5 5v14M16.5 19l3.5-3.5M16.5 19 13 15.5',
  group: 'money',
  order: 30,
  keys: 'g o',
  page: () => import('./Trade.svelte'),
} satisfies Section;
