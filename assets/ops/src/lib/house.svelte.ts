/** Who is at the door: what the server says about access, and whether this browser is signed in. */

import { beginWithSeen, forgetAnswers } from './answer.svelte';
import { api, asApiError, call, isAway, onSignedOut, type ApiError } from './api';
import { closeEvents, onBroken, onHello, onOut, openEvents } from './events.svelte';
import type { Household } from './schema';
import { beginOfflineCache, clearOfflineCache, cacheAnswer, cachedAnswer, cacheSession } from './offline-cache';
import { isShellCurrent } from './shell-kept';
import { forgetUnsent } from './unsent';
import { sendWaiting } from './waiting';

export type Door = 'knocking' | 'unreachable' | 'closed' | 'open';

let household = $state.raw<Household>();
let error = $state.raw<ApiError>();
let outdated = $state(false);
/** The session was ended elsewhere while this page was open. */
let ended = $state(false);
/** The page was opened with what was last seen. */
let openedAway = false;
const ADDRESS = '/api/household';
/** A server that is well has answered by then: who waits longer reads meanwhile what was last seen. */
const SOON_MS = 400;

/** `knocking` before the first answer, `closed` when a passphrase is needed; reactive. */
export function door(): Door {
  if (!household) return error ? 'unreachable' : 'knocking';
  return household.access === 'passphrase' && !household.signed_in ? 'closed' : 'open';
}

/** What the server says about access; undefined before its first answer. Reactive. */
export function house(): Household | undefined {
  return household;
}

/** Why the house could not be reached; reactive. */
export function doorProblem(): ApiError | undefined {
  return error;
}

/** The house answers, and what it keeps is damaged; reactive. */
export function isDamaged(): boolean {
  return error?.said.whole?.message_key.endsWith('.store_damaged') === true;
}

/** Whether the session was ended elsewhere while this page was open; reactive. */
export function wasEnded(): boolean {
  return ended;
}

/** The server is newer than this page: it works on, but should be loaded again. Reactive. */
export function isOutdated(): boolean {
  return outdated;
}

/** Asks who we are; opens the event stream when we are let in, and with what was last seen while no answer comes. */
export async function knock(): Promise<void> {
  const soon = setTimeout(() => void openWithSeen(), SOON_MS);
  try {
    household = await call(api.GET('/api/household'));
    error = undefined;
    if (door() === 'open') {
      beginOfflineCache();
      cacheAnswer(ADDRESS, household, cacheSession());
    } else if (openedAway) lockDoor(true);
    else await clearOfflineCache();
  } catch (cause) {
    error = asApiError(cause);
    if (isAway(error)) await openWithSeen();
  } finally {
    clearTimeout(soon);
  }
  if (door() === 'open') openEvents();
}

async function openWithSeen(): Promise<void> {
  const seen = household ? undefined : await cachedAnswer(ADDRESS);
  if (!seen || household) return;
  household = seen.data as Household;
  openedAway = true;
  beginWithSeen(true);
  openEvents();
}

/** Asks whether we are still let in. */
async function knockAgain(): Promise<void> {
  await knock();
  if (door() === 'closed') lockDoor(true);
}

/** The server is there after the page had been opened without it: who is let in may have changed, and the page. */
async function comeBack(): Promise<void> {
  openedAway = false;
  beginWithSeen(false);
  await knockAgain();
  outdated ||= !(await isShellCurrent().catch(() => true));
}

/** Signs in with the household's passphrase; throws the refusal. */
export async function signIn(passphrase: string): Promise<void> {
  await call(api.POST('/api/household/sign-in', { body: { passphrase } }));
  ended = false;
  forgetAnswers();
  await clearOfflineCache();
  await knock();
}

/** Sets the household's passphrase with the token of the one-time link; throws the refusal. */
export async function setUp(token: string, passphrase: string): Promise<void> {
  await call(api.POST('/api/household/setup', { body: { token, passphrase } }));
  forgetAnswers();
  await clearOfflineCache();
  await knock();
}

/** Sends what was added here and is not saved yet. */
export const sendUnsaved = () => sendWaiting(() => import('./outbox.svelte'));

/**
 * Ends this browser's session, after what was not saved yet. What cannot be saved goes with it, and what is under way or half
 * typed: then it is ended only where `mayLose` says so. Whether it was.
 */
export async function signOut(mayLose: () => boolean): Promise<boolean> {
  await sendUnsaved();
  if (!mayLose()) return false;
  await call(api.POST('/api/household/sign-out'));
  forgetUnsent();
  lockDoor(true);
  return true;
}

/** `everywhere` also in the other tabs, whose session is the same. */
function lockDoor(everywhere: boolean): void {
  closeEvents(everywhere);
  forgetAnswers();
  void clearOfflineCache();
  if (household) household = { ...household, access: 'passphrase', signed_in: false };
}

onSignedOut(() => {
  ended ||= door() === 'open';
  lockDoor(true);
});
onOut(() => lockDoor(false));
onHello((version) => (openedAway ? void comeBack() : compareVersion(version)));
onBroken(() => void knockAgain());
// A file that does not come may be gone with its version; it may also be that nothing comes just now.
window.addEventListener('vite:preloadError', () => void call(api.GET('/api/household')).then(({ version }) => compareVersion(version), () => undefined));

function compareVersion(version: string): void {
  if (household && household.version !== version) outdated = true;
}
