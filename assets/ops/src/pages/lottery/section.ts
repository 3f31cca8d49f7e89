/** The lottery: draws, recommendations, and what became of the household's tickets. */

import { saying } from '../../lib/i18n.svelte';
import type { Section } from '../../lib/section';

export default {
  path: '/lottery',
  name: 'lottery.name',
  icon: 'M15.5 9.5a5.75 5.75 0 1 1-11.5 0 5.75 5.75 0 0 1 11.5 0ZM15.9 8.9a5.75 5.75 0 1 1-7 6.8M9.75 7v5',
  group: 'money',
  order: 10,
  keys: 'g l',
  page: () => saying('recommend', import('./Recommend.svelte')),
  frame: () => import('./Lottery.svelte'),
  inner: [
    { path: '/statistics', name: 'lottery.palette.statistics', page: () => saying('statistics', import('./Statistics.svelte')) },
    { path: '/performance', name: 'lottery.palette.performance', page: () => saying('performance', import('./Performance.svelte')) },
    { path: '/reports', name: 'lottery.palette.reports', page: () => saying('reports', import('./reports/Report.svelte')) },
    { path: '/reports/briefing', name: 'lottery.palette.briefing', page: () => saying('reports', import('./reports/Briefing.svelte')) },
    { path: '/reports/review', name: 'lottery.palette.review', page: () => saying('reports', import('./reports/Review.svelte')) },
    { path: '/purchases', name: 'lottery.palette.purchases', page: () => saying('purchases', import('./Purchases.svelte')) },
    { path: '/simulate', name: 'lottery.palette.simulate', page: () => saying('simulate', import('./Simulate.svelte')) },
    { path: '/history', name: 'lottery.palette.history', page: () => saying('history', import('./History.svelte')) },
  ],
} satisfies Section;
