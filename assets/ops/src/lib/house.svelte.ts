/** Who is at the door: what the server says about access, and whether this browser is signed in. */

import { api, asApiError, call, onSignedOut, type ApiError } from './api';
import { closeEvents, onHello, openEvents } from './events.svelte';
import type { Household } from './schema';

export type Door = 'knocking' | 'unreachable' | 'closed' | 'open';

let household = $state.raw<Household>();
let error = $state.raw<ApiError>();
let outdated = $state(false);

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

/** The server is newer than this page: it works on, but should be loaded again. Reactive. */
export function isOutdated(): boolean {
  return outdated;
}

/** Asks who we are; opens the event stream when we are let in. */
export async function knock(): Promise<void> {
  try {
    household = await call(api.GET('/api/household'));
    error = undefined;
  } catch (cause) {
    error = asApiError(cause);
  }
  if (door() === 'open') openEvents();
}

/** Signs in with the household's passphrase; throws the refusal. */
export async function signIn(passphrase: string): Promise<void> {
  await call(api.POST('/api/household/sign-in', { body: { passphrase } }));
  await knock();
}

/** Sets the household's passphrase with the token of the one-time link; throws the refusal. */
export async function setUp(token: string, passphrase: string): Promise<void> {
  await call(api.POST('/api/household/setup', { body: { token, passphrase } }));
  await knock();
}

/** Ends this browser's session. */
export async function signOut(): Promise<void> {
  await call(api.POST('/api/household/sign-out'));
  lockDoor();
}

function lockDoor(): void {
  closeEvents();
  if (household) household = { ...household, access: 'passphrase', signed_in: false };
}

onSignedOut(lockDoor);
onHello(compareVersion);
// A file that does not come may be gone with its version; it may also be that nothing comes just now.
window.addEventListener('vite:preloadError', () => void call(api.GET('/api/household')).then(({ version }) => compareVersion(version), () => undefined));

function compareVersion(version: string): void {
  if (household && household.version !== version) outdated = true;
}
