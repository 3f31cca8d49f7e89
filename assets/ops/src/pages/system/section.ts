/** The system: health, backups, providers, jobs and settings. */

import { api, call } from '../../lib/api';
import { shapes } from '../../lib/components/icons';
import { condition } from '../../lib/condition.svelte';
import type { Section } from '../../lib/section';
import type shell from './messages/shell.ko.json';
import type system from './messages/system.ko.json';
import type todayPart from './messages/today.ko.json';

export default {
  path: '/system',
  name: 'system.name',
  icon: shapes.machine,
  order: 1000,
  apart: true,
  keys: 'g s',
  warning: () => (condition()?.health.ready === false ? 'system.warning' : undefined),
  page: () => import('./System.svelte'),
  actions: [{ name: 'system.action.backup', icon: 'check', run: () => call(api.POST('/api/system/backups')), done: 'system.action.backed_up' }],
} satisfies Section;

declare module '../../lib/i18n.svelte' {
  interface Catalogues { system: typeof system & typeof shell & typeof todayPart }
}
