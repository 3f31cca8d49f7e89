/** The words for what the server checks and has done; an unknown name is shown as it is. */

import { t, type MessageKey } from '../../lib/i18n.svelte';

const CHECKS: Record<string, MessageKey> = {
  store_read: 'system.check.store_read', store_write: 'system.check.store_write', settings: 'system.check.settings', index: 'system.check.index',
};
const HOSTS: Record<string, MessageKey> = { local: 'system.compute.local', remote: 'system.compute.remote' };

/** What a health check looks at. */
export function checkName(name: string): string {
  const key = CHECKS[name];
  return key ? t(key) : name;
}

/** Where the compute host is. */
export function computeName(kind: string): string {
  const key = HOSTS[kind];
  return key ? t(key) : kind;
}
