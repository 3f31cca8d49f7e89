/** The screener: every stock of the Korean exchange by rules, and why each is in or out. */

import type { Section } from '../../lib/section';

export default {
  path: '/screener',
  name: 'screener.name',
  icon: 'M4 5h16l-6.2 7.2V19l-3.6-2v-4.8Z',
  group: 'money',
  order: 35,
  keys: 'g c',
  page: () => import('./Screener.svelte'),
  frame: () => import('./Frame.svelte'),
  inner: [
    { path: '/runs', name: 'screener.palette.runs', page: () => import('./Runs.svelte') },
    { path: '/runs/:id', name: 'screener.palette.runs', page: () => import('./Run.svelte') },
    { path: '/stocks/:symbol', name: 'screener.name', page: () => import('./Stock.svelte') },
  ],
} satisfies Section;
