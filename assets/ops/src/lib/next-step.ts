/** What helps when somebody outside has not given what was asked for: it depends on how they failed, and on whether they may be asked now. */

import { now } from './now.svelte';
import { t } from './i18n.svelte';
import type { Instant } from './schema';
import type { LocalizedMessage } from './localized';
import { time } from './when';

/** Each way of failing that the server names. */
export const FAILURES = ['cut_off', 'elsewhere', 'fewer', 'not_reached', 'status', 'timed_out', 'too_large', 'unreadable'] as const;

type Failure = (typeof FAILURES)[number];

function failureOf(said: LocalizedMessage | null | undefined): Failure | undefined {
  const [section, about, how] = said?.message_key.split('.') ?? [];
  return section === 'house' && about === 'upstream' ? FAILURES.find((failure) => failure === how) : undefined;
}

/** Whether whoever asks at `at` is refused, and nobody is asked. */
function isTooEarly(retryAt: Instant | null, at: number): retryAt is Instant {
  return retryAt !== null && at < Date.parse(retryAt);
}

/**
 * What the household can do about it, as a sentence; empty where nothing is known of it. Until `retryAt` nothing helps but to
 * wait; null where they may be asked.
 */
export function nextStep(said: LocalizedMessage | null | undefined, retryAt: Instant | null, at = now()): string {
  if (isTooEarly(retryAt, at)) return t('shell.upstream.left_alone', { time: time(retryAt) });
  const failure = failureOf(said);
  return failure ? t(`shell.upstream.${failure}`) : '';
}

/** Whether it may help to ask again at once: who asks for fewer requests is only annoyed. */
export function mayAskAgain(said: LocalizedMessage | null | undefined, retryAt: Instant | null, at = now()): boolean {
  return !isTooEarly(retryAt, at) && failureOf(said) !== 'fewer';
}
