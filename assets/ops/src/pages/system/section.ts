/** The system: health, backups, providers, jobs and settings. */

import { shapes } from '../../lib/components/icons';
import { condition } from '../../lib/condition.svelte';
import type { Section } from '../../lib/section';
import { makeSnapshot } from './make';
import type shell from './messages/shell.ko.json';
import type system from './messages/system.ko.json';
import type todayPart from './messages/today.ko.json';
import type windows from './messages/windows.ko.json';

export default {
  path: '/system',
  name: 'system.name',
  icon: shapes.machine,
  group: 'last',
  order: 1000,
  keys: 'g s',
  warning: () => (condition()?.health.checks.some(({ ok }) => !ok) ? 'system.warning' : undefined),
  page: () => import('./Overview.svelte'),
  pageName: 'system.palette.overview',
  frame: () => import('./System.svelte'),
  inner: [
    { path: '/backups', name: 'system.palette.backups', page: () => import('./Backups.svelte') },
    { path: '/providers', name: 'system.palette.providers', page: () => import('./Providers.svelte') },
    { path: '/jobs', name: 'system.palette.jobs', page: () => import('./JobsPanel.svelte') },
    { path: '/mail', name: 'system.palette.mail', words: 'system.palette.mail.words', page: () => import('./Mail.svelte') },
    { path: '/settings', name: 'system.palette.settings', words: 'system.palette.settings.words', page: () => import('./Settings.svelte') },
  ],
  actions: [
    { name: 'system.action.backup', icon: 'check', run: makeSnapshot, done: 'system.action.backed_up' },
    { name: 'system.action.restore', words: 'system.action.restore.words', icon: 'refresh', open: '/system/backups' },
    { name: 'system.action.download', words: 'system.action.download.words', icon: 'machine', open: '/system/backups' },
    { name: 'system.action.passphrase', words: 'system.action.passphrase.words', icon: 'settings', open: '/system/settings?passphrase=1' },
  ],
} satisfies Section;

declare module '../../lib/i18n.svelte' {
  interface Catalogues { system: typeof system & typeof shell & typeof todayPart & typeof windows }
}
