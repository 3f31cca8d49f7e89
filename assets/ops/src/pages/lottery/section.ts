/** The lottery: draws, recommendations, and what became of the household's tickets. */

import { saying } from '../../lib/i18n.svelte';
import type { Section } from '../../lib/section';
import type lottery from './messages/lottery.ko.json';
import type performance from './messages/performance.ko.json';
import type shell from './messages/shell.ko.json';
import type simulate from './messages/simulate.ko.json';
import type table from './messages/table.ko.json';
import type todayPart from './messages/today.ko.json';
import type windows from './messages/windows.ko.json';

export default {
  path: '/lottery',
  name: 'lottery.name',
  icon: 'M15.5 9.5a5.75 5.75 0 1 1-11.5 0 5.75 5.75 0 0 1 11.5 0ZM15.9 8.9a5.75 5.75 0 1 1-7 6.8M9.75 7v5',
  group: 'money',
  order: 10,
  keys: 'g l',
  page: () => import('./Recommend.svelte'),
  frame: () => import('./Lottery.svelte'),
  inner: [
    { path: '/statistics', name: 'lottery.palette.statistics', page: () => import('./Statistics.svelte') },
    { path: '/performance', name: 'lottery.palette.performance', page: () => saying('performance', import('./Performance.svelte')) },
    { path: '/reports', name: 'lottery.palette.reports', page: () => import('./reports/Report.svelte') },
    { path: '/reports/briefing', name: 'lottery.palette.briefing', page: () => import('./reports/Briefing.svelte') },
    { path: '/reports/review', name: 'lottery.palette.review', page: () => import('./reports/Review.svelte') },
    { path: '/purchases', name: 'lottery.palette.purchases', page: () => import('./Purchases.svelte') },
    { path: '/simulate', name: 'lottery.palette.simulate', page: () => saying('simulate', import('./Simulate.svelte')) },
    { path: '/history', name: 'lottery.palette.history', page: () => import('./History.svelte') },
  ],
} satisfies Section;

declare module '../../lib/i18n.svelte' {
  interface Catalogues { lottery: typeof lottery & typeof performance & typeof shell & typeof simulate & typeof table & typeof todayPart & typeof windows }
}

declare module '../../lib/events.svelte' {
  interface Subjects { draws: true; purchases: true; recommendations: true; reports: true }
}
