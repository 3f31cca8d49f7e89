/** Every page of the app and its address. A page is loaded when it is first visited, its sentences with it. */

import { createRouter } from 'sv-router';
import { loadMessages, type Area } from './lib/i18n.svelte';

const speaks = (area: Area) => ({ beforeLoad: () => loadMessages(area), onPreload: () => loadMessages(area) });

export const { p, navigate, isActive, preload, route } = createRouter({
  '/': { '/': () => import('./pages/today/Today.svelte'), hooks: speaks('today') },
  '/lottery': {
    '/': () => import('./pages/lottery/Recommend.svelte'),
    '/statistics': () => import('./pages/lottery/Statistics.svelte'),
    '/performance': () => import('./pages/lottery/Performance.svelte'),
    '/reports': () => import('./pages/lottery/Reports.svelte'),
    '/purchases': () => import('./pages/lottery/Purchases.svelte'),
    '/simulate': () => import('./pages/lottery/Simulate.svelte'),
    '/history': () => import('./pages/lottery/History.svelte'),
    layout: () => import('./pages/lottery/Lottery.svelte'),
    hooks: speaks('lottery'),
  },
  '/todos': { '/': () => import('./pages/todos/Todos.svelte'), hooks: speaks('todos') },
  '/system': { '/': () => import('./pages/system/System.svelte'), hooks: speaks('system') },
  '*': () => import('./pages/NotFound.svelte'),
});
