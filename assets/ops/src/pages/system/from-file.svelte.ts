/**
 * The backup file that is being sent to the house, or was brought and waits for a decision: it goes on while other pages are
 * read, and is there again when one comes back.
 */

import { api, asApiError, call, orGone } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import { beginOwnWork } from '../../lib/own-work.svelte';
import { sentence } from '../../lib/problems';
import { Sending } from '../../lib/sending.svelte';
import { toast, toastProblem } from '../../lib/toasts.svelte';
import { forgetAtSignOut } from '../../lib/unsent';
import type { Uploaded } from './types';

const PAGE = '/system/backups';

const sending = new Sending();
let error = $state.raw<unknown>();
let brought = $state.raw<Uploaded>();
let closed = $state.raw<string>();
let hasEnded = $state(false);
let isShown = false;
let end: (() => void) | undefined;

export const fromFile = {
  /** Whether one is on its way; reactive, as all of these. */
  get isSending(): boolean {
    return sending.isGoing;
  },
  /** How much of it is gone; null while the house reads all of it again. */
  get percent(): number | null {
    return sending.percent;
  },
  /** Why the last one was not taken. */
  get error(): unknown {
    return error;
  },
  /** Another one comes in, perhaps from another device: whoever is told so may end it. */
  get isTaken(): boolean {
    return error !== undefined && asApiError(error).said.whole?.message_key.endsWith('.another_upload') === true;
  },
  /** Whether the other one was ended. */
  get hasEnded(): boolean {
    return hasEnded;
  },
  /** What was brought and is being decided on. */
  get brought(): Uploaded | undefined {
    return brought;
  },
  /** The id of what was thrown away last. */
  get closed(): string | undefined {
    return closed;
  },
};

/** What it does now, in words. */
export function doing(): string {
  if (brought) return t('system.file.ready');
  return fromFile.percent === null ? t('system.file.checking') : t('system.file.sending');
}

/** The page is shown that tells what comes of it. Returns the end of it. */
export function showFromFile(): () => void {
  isShown = true;
  return () => (isShown = false);
}

export async function send(file: File): Promise<void> {
  [error, hasEnded] = [undefined, false];
  end?.();
  const ended = beginOwnWork({ name: doing, open: PAGE, percent: () => (brought ? undefined : fromFile.percent), stop: () => (brought ? decideLater() : stop()) });
  end = ended;
  try {
    brought = await sending.send<Uploaded>('/api/system/restore', file);
    if (!isShown) toast(t('system.file.ready'));
  } catch (cause) {
    ended();
    if (asApiError(cause).code === 'ABORTED') return;
    error = cause;
    if (!isShown) toastProblem(`${t('system.file.refused')} ${sentence(cause)}`);
  }
}

/** Calls off what is on its way. */
export function stop(): void {
  sending.stop();
}

/** Decides on what was brought before. */
export function decide(waiting: Uploaded): void {
  brought = waiting;
}

/** Ends the other one that comes in. */
export async function endOther(): Promise<void> {
  try {
    await call(api.DELETE('/api/system/restore/{id}', { params: { path: { id: 'coming' } } }));
    [error, hasEnded] = [undefined, true];
  } catch (cause) {
    error = cause;
  }
}

/** Leaves the decision for later: the file waits at the house, and is offered there. */
export function decideLater(): void {
  brought = undefined;
  end?.();
}

/** Throws the file away that is being decided on. Throws the refusal; what is not there any more is gone as well. */
export async function throwAway(): Promise<void> {
  const id = brought?.id;
  if (id) await orGone(call(api.DELETE('/api/system/restore/{id}', { params: { path: { id } } })));
  closed = id;
  decideLater();
}

/** Who signs out has left; what waits at the house is offered to who comes next. */
forgetAtSignOut(() => {
  stop();
  end?.();
  [error, brought, hasEnded] = [undefined, undefined, false];
});
