/** What a failure means and what to do about it, in the reader's words. */

import { asApiError, type ApiError } from './api';
import { t, type MessageKey } from './i18n.svelte';
import { duration } from './say';

/** Codes that have their own sentence in the `shell` catalogue (`problem.CODE`). */
const KNOWN = [
  'OFFLINE', 'UNREADABLE', 'UNREACHABLE', 'INVALID_INPUT', 'UNAUTHORIZED', 'FOREIGN_ORIGIN', 'NOT_FOUND', 'CONFLICT', 'TOO_LARGE',
  'RATE_LIMITED', 'NOT_CONFIGURED', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'NAS_TIMEOUT', 'NAS_UNAVAILABLE', 'STORAGE_FULL',
  'INTERNAL',
] as const;
/** Codes whose server sentence says more than ours. */
const DETAILED = new Set(['CONFLICT', 'NOT_CONFIGURED', 'UPSTREAM_UNAVAILABLE', 'INVALID_INPUT']);

/** The sentence for a failure: what happened and what to do. */
export function sentence(cause: unknown): string {
  const error = asApiError(cause);
  const known = KNOWN.find((code) => code === error.code);
  const said = known ? t(`shell.problem.${known}` satisfies MessageKey) : error.message || t('shell.problem.INTERNAL');
  return error.retry_after ? `${said} ${t('shell.problem.wait', { time: duration(error.retry_after * 1000) })}` : said;
}

/** What the server added: the refused fields, or its own sentence; empty when ours says it all. */
export function details(error: ApiError): string[] {
  const fields = Object.entries(error.fields).map(([field, reason]) => `${field}: ${reason}`);
  if (fields.length > 0) return fields;
  return DETAILED.has(error.code) && error.message ? [error.message] : [];
}
