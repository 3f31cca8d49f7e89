/** The market: indices, what others say of it, news, and the prices that the household keeps by hand. */

import type { Section } from '../../lib/section';

export default {
  path: '/market',
  name: 'market.name',
  icon: 'M4 20V4M4 20h16M7.5 15.5l3.5-5 3.5 3 5-7.5M15.5 6h4v4',
  group: 'money',
  order: 14,
  keys: 'g m',
  page: () => import('./Market.svelte'),
  frame: () => import('./Frame.svelte'),
  inner: [{ path: '/prices', name: 'market.palette.prices', page: () => import('./Prices.svelte') }],
} satisfies Section;
