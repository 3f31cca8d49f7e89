/** What a failure means and what to do about it, in the reader's words. */

import { asApiError, type ApiError } from './api';
import { currentLanguage, t, type MessageKey } from './i18n.svelte';
import { nextStep } from './next-step';
import { fieldName, localized, type LocalizedMessage } from './localized';

/** Codes that have their own sentence in the `shell` catalogue (`problem.CODE`). */
const KNOWN = [
  'OFFLINE', 'SILENT', 'UNANSWERED', 'UNREADABLE', 'UNREACHABLE', 'INVALID_INPUT', 'UNAUTHORIZED', 'FOREIGN_ORIGIN', 'NOT_FOUND', 'CONFLICT', 'TOO_LARGE',
  'RATE_LIMITED', 'NOT_CONFIGURED', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'NAS_TIMEOUT', 'NAS_UNAVAILABLE', 'STORAGE_FULL', 'STORAGE_AWAY',
  'INTERNAL',
  'FILE_MISSING',
] as const;
/** What the house says that a field must be, where our sentence says all: it is no value that somebody has typed. */
const MUST: Record<string, MessageKey> = { backup_file: 'shell.problem.NOT_A_BACKUP' };
/** Codes of which our sentence says all, whatever the server says. */
const SAID_BY_US = ['RATE_LIMITED', 'UNAUTHORIZED'];
/** What the house says where it knows no more than the code: ours adds what helps. */
const GENERAL = ['body_too_large', 'disk_full', 'foreign_site', 'no_such', 'went_wrong'];
/** Codes that say little without what the server says, in whatever language. */
const DETAILED = ['CONFLICT', 'NOT_CONFIGURED', 'UPSTREAM_UNAVAILABLE', 'INVALID_INPUT'];

/** The sentence for a failure, what happened and what to do: the server's own where it has one for this case, else that of the code. */
export function sentence(cause: unknown): string {
  const error = asApiError(cause);
  const own = ownSentence(error);
  const said = own ? `${own} ${nextStep(error.said.whole, null)}`.trimEnd() : ofCode(error);
  return error.retry_after ? `${said} ${t('shell.problem.wait', { time: wait(error.retry_after) })}` : said;
}

function ownSentence({ code, said: { whole } }: ApiError): string {
  return SAID_BY_US.includes(code) || (whole && isGeneral(whole)) ? '' : localized(whole, '');
}

function isGeneral({ message_key: key }: LocalizedMessage): boolean {
  const [section, name = ''] = key.split('.');
  return section === 'house' && GENERAL.includes(name);
}

/** The one refused field that has a sentence of its own. */
function ofField({ fields, said }: ApiError): MessageKey | undefined {
  const [field, ...others] = Object.keys(fields);
  const [section, must, name = ''] = (field !== undefined && others.length === 0 && said.fields[field]?.message_key.split('.')) || [];
  return section === 'house' && must === 'must' ? MUST[name] : undefined;
}

function ofCode(error: ApiError): string {
  const { code, message, said } = error;
  const field = ofField(error);
  if (field) return t(field);
  const known = KNOWN.find((one) => one === code);
  return known ? t(`shell.problem.${known}` satisfies MessageKey) : localized(said.whole, message) || t('shell.problem.INTERNAL');
}

/** What stands over a failure: that something was not done, or nothing where nobody knows whether it was. */
export function headline(cause: unknown, failed: string): string {
  return asApiError(cause).code === 'UNANSWERED' ? '' : failed;
}

/** What the server added: the refused fields, or what it says where that is not the sentence already; empty when ours says it all. */
export function details(error: ApiError): string[] {
  if (ofField(error)) return [];
  const fields = Object.entries(error.fields).map(([field, reason]) => `${fieldName(field, error.said.owner)}: ${localized(error.said.fields[field], reason)}`);
  if (fields.length > 0) return fields;
  return DETAILED.includes(error.code) && error.message && !ownSentence(error) ? [localized(error.said.whole, error.message)] : [];
}

/** A wait in seconds, in words; above two minutes in minutes, and never less than it is. */
function wait(seconds: number): string {
  const [count, unit] = seconds > 120 ? [Math.ceil(seconds / 60), 'minute'] : [Math.ceil(seconds), 'second'];
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
