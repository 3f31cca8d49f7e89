/** The words for the names that the server gives to its parts; an unknown one is shown as it is. */

import { t, type MessageKey } from '../../lib/i18n.svelte';

const CHECKS: Record<string, MessageKey> = {
  read: 'system.check.read', store_read: 'system.check.read', write: 'system.check.write', store_write: 'system.check.write',
  store: 'system.check.store', index: 'system.check.index', disk: 'system.check.disk', compute: 'system.check.compute',
  jobs: 'system.check.jobs', backup: 'system.check.backup',
};
const COMPUTE: Record<string, MessageKey> = {
  ok: 'system.compute.state.ok', ready: 'system.compute.state.ready', unavailable: 'system.compute.state.unavailable',
  failing: 'system.compute.state.failing', open: 'system.compute.state.open',
};

/** What a health check looks at. */
export function checkName(name: string): string {
  const key = CHECKS[name];
  return key ? t(key) : name;
}

/** How the compute host is. */
export function computeState(state: string): string {
  const key = COMPUTE[state];
  return key ? t(key) : state;
}
