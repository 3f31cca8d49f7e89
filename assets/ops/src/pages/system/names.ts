/** The words for what the server checks; an unknown name is shown as it is. */

import { t, type MessageKey } from '../../lib/i18n.svelte';

const CHECKS: Record<string, MessageKey> = {
  store_read: 'system.check.store_read', store_write: 'system.check.store_write', index: 'system.check.index',
};

/** What a health check looks at. */
export function checkName(name: string): string {
  const key = CHECKS[name];
  return key ? t(key) : name;
}
