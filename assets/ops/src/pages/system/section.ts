/** The system: health, backups, providers, jobs and settings. */

import { SHAPES } from '../../lib/components/shapes';
import type { Section } from '../../lib/section';

export default {
  path: '/system',
  name: 'system.name',
  icon: SHAPES.machine,
  group: 'last',
  order: 1000,
  keys: 'g s',
  page: () => import('./Overview.svelte'),
  frame: () => import('./System.svelte'),
  inner: [
    { path: '/backups', name: 'system.palette.backups', page: () => import('./Backups.svelte') },
    { path: '/providers', name: 'system.palette.providers', page: () => import('./Providers.svelte') },
    { path: '/jobs', name: 'system.palette.jobs', page: () => import('./JobsPanel.svelte') },
    { path: '/mail', name: 'system.palette.mail', page: () => import('./Mail.svelte') },
    { path: '/settings', name: 'system.palette.settings', page: () => import('./Settings.svelte') },
  ],
} satisfies Section;
