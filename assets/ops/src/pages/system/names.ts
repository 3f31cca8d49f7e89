/** The words for what the server checks and has done; an unknown name is shown as it is. */

import { t, type MessageKey } from '../../lib/i18n.svelte';

const CHECKS: Record<string, MessageKey> = {
  store_read: 'system.check.store_read', store_write: 'system.check.store_write', index: 'system.check.index',
};
const HOSTS: Record<string, MessageKey> = { local: 'system.compute.local', remote: 'system.compute.remote' };
/** The steps of a migration by their names, which stay for good. */
const STEPS: Record<string, MessageKey> = {
  'idempotency: first answers belong to the household': 'system.migration.first_answers',
  'jobs: give each lane a queue of its own': 'system.migration.lanes',
  'lottery: count purchases that were not counted': 'system.migration.purchases_counted',
  'lottery: count recommendations that were not counted': 'system.migration.recommendations_counted',
  'lottery: reviews with the exact spread of their sets': 'system.migration.reviews',
  'lottery: settled games, fixed prizes and tax': 'system.migration.settled_games',
  'todos: count what was not counted': 'system.migration.todos_counted',
};

/** What a step of a migration has done. */
export function stepName(name: string): string {
  const key = STEPS[name];
  return key ? t(key) : name;
}

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
