/**
 * What was added here and is not saved yet: it stays on this device until the server has confirmed it, also when the page is
 * loaded anew meanwhile, and goes out again under its first key, so that it is done once.
 */

import { SvelteMap } from 'svelte/reactivity';
import { api, asApiError, call, newKey, orGone, type ApiError } from './api';
import { isLost, liveLine } from './events.svelte';
import { forgetAtSignOut } from './unsent';
import { sendWaitingBy, STORED } from './waiting';

export type Addition = {
  /** Its `Idempotency-Key`. */
  key: string;
  /** Where it is posted to. */
  path: string;
  body: unknown;
  /** What people know it by; what was added by an earlier version has none. */
  name?: string;
  /** When it was added, in milliseconds since 1970. */
  since: number;
  /** It was given up after it had been sent: the server may have it, and what comes of it is deleted there. */
  givenUp?: true;
};

/** The server knows a key for a day; what is older may be there already, and goes out only when somebody says so. */
const FRESH_MS = 23 * 3_600_000;
/** With these the server has looked at it and will not take it as it is. */
const WRONG = [400, 413, 422];
/** How long it is waited where the server does not say how long. */
const PAUSE_S = 30;

type Change = (all: Addition[]) => Addition[];

let additions = $state.raw<Addition[]>([]);
/** What was last found in storage, or put there. */
let known: Addition[] = [];
/** Changes that storage did not take: they hold until the page is closed, over whatever other tabs store. */
let unstored: Change[] = [];
additions = stored();
const sending = new SvelteMap<string, true>();
/** What of those given up is being deleted on the server: that cannot be taken back any more. */
const withdrawn = new Set<string>();
const problems = new SvelteMap<string, ApiError>();
let pause: ReturnType<typeof setTimeout> | undefined;
const listeners = new Map<string, Set<(answer: unknown) => void>>();

/** What waits to be added there, oldest first; reactive. */
export function additionsTo<T>(path: string): (Addition & { body: T })[] {
  return additions.filter((addition): addition is Addition & { body: T } => addition.path === path && !addition.givenUp);
}

/** What is nowhere but on this device, oldest first; reactive. */
export function unsavedAdditions(): Addition[] {
  return additions.filter(({ givenUp }) => !givenUp);
}

/** Whether it is on its way; reactive. */
export function isSending({ key }: Addition): boolean {
  return sending.has(key);
}

/** Whether it waits, for somebody or for the server: what is sent to one that is known to be away waits, too. Reactive. */
export function isWaiting(addition: Addition): boolean {
  return !isSending(addition) || isLost();
}

/** Why it could not be saved at the last attempt; reactive. */
export function problemOf({ key }: Addition): ApiError | undefined {
  return problems.get(key);
}

/** Whether it is too old to be sent by itself. */
export function isOld({ since }: Addition): boolean {
  return Date.now() - since >= FRESH_MS;
}

/**
 * Adds it, and keeps it until it is saved; `name` is what people know it by. Throws only what is wrong with it, so that the
 * form can have it back.
 */
export async function addKept(path: string, body: unknown, name: string): Promise<void> {
  const addition = { key: newKey(), path, body, name, since: Math.max(Date.now(), ...additions.map(({ since }) => since + 1)) };
  change((all) => [...all, addition]);
  await send(addition);
  const problem = problems.get(addition.key);
  if (!problem || !isWrong(problem)) return;
  forget(addition);
  throw problem;
}

/** Tries one again: under the same key, as long as the server knows it. */
export async function sendAgain(addition: Addition): Promise<void> {
  const again = isOld(addition) ? { ...addition, key: newKey(), since: Date.now() } : addition;
  if (again !== addition) change((all) => all.map((other) => (other.key === addition.key ? again : other)));
  await send(again);
}

/** Sends what waits, one after the other, as when the server is there again. */
export async function sendAdditions(): Promise<void> {
  for (const addition of additions) {
    if (!isOld(addition)) await send(addition);
    // The server does not know any more what became of it.
    else if (addition.givenUp) forget(addition);
  }
}

/** Gives one up. What the server may have heard of is kept until it is known what became of it, and deleted there, too. */
export function giveUp(addition: Addition): void {
  const problem = problems.get(addition.key);
  if (!sending.has(addition.key) && (isOld(addition) || isWrong(problem))) forget(addition);
  else change((all) => all.map((other) => (other.key === addition.key ? { ...other, givenUp: true } : other)));
}

/** Brings one back that was given up, and sends it. */
export async function bringBack(addition: Addition): Promise<void> {
  // What the server made under a key that is not kept is gone: it is made anew.
  const isKept = additions.some(({ key }) => key === addition.key) && !withdrawn.has(addition.key);
  const again = isKept ? addition : { ...addition, key: newKey() };
  change((all) => [...all.filter(({ key }) => key !== again.key), again].sort((a, b) => a.since - b.since));
  if (!isOld(again)) await send(again);
}

/** Calls `tell` with what the server made of each that was added there. Returns the end of it. */
export function onSaved<T>(path: string, tell: (answer: T) => void): () => void {
  const of = listeners.get(path) ?? new Set();
  listeners.set(path, of.add(tell as (answer: unknown) => void));
  return () => void of.delete(tell as (answer: unknown) => void);
}

async function send(addition: Addition): Promise<void> {
  if (sending.has(addition.key)) return;
  sending.set(addition.key, true);
  try {
    const answer = await call(api.POST(addition.path as '/api/todos', { body: addition.body as never, headers: { 'Idempotency-Key': addition.key } }));
    if (isGivenUp(addition)) await withdraw(addition, answer.id);
    else listeners.get(addition.path)?.forEach((tell) => tell(answer));
    forget(addition);
  } catch (cause) {
    const problem = asApiError(cause);
    if (isGivenUp(addition) && isWrong(problem)) forget(addition);
    else problems.set(addition.key, problem);
    if (!isWrong(problem) && (problem.status > 0 || liveLine() === 'open')) sendLater(problem.retry_after ?? PAUSE_S);
  } finally {
    sending.delete(addition.key);
  }
}

/** Sends what waits after so many seconds, for when the line stays open and brings no reason to. */
function sendLater(seconds: number): void {
  pause ??= setTimeout(() => {
    pause = undefined;
    void sendAdditions();
  }, seconds * 1_000);
}

function isWrong(problem: ApiError | undefined): boolean {
  return problem !== undefined && WRONG.includes(problem.status);
}

/** Deletes what the server made of one that was given up. */
async function withdraw({ key, path }: Addition, id: number): Promise<void> {
  withdrawn.add(key);
  try {
    await orGone(call(api.DELETE(`${path}/{id}` as '/api/todos/{id}', { params: { path: { id } }, keepalive: true })));
  } finally {
    withdrawn.delete(key);
  }
}

/** Whether it was given up, in whichever tab. */
function isGivenUp({ key }: Addition): boolean {
  return additions.some((other) => other.key === key && other.givenUp);
}

function forget({ key }: Addition): void {
  problems.delete(key);
  change((all) => all.filter((other) => other.key !== key));
}

/** Reads before it writes: other tabs add and save, too. */
function change(by: Change): void {
  unstored = [...unstored, by];
  additions = withUnstored();
  try {
    localStorage.setItem(STORED, JSON.stringify(additions));
    known = additions;
    unstored = [];
  } catch {
    // Storage is switched off or full.
  }
}

function withUnstored(): Addition[] {
  return unstored.reduce((all, by) => by(all), stored());
}

function stored(): Addition[] {
  try {
    known = JSON.parse(localStorage.getItem(STORED) ?? '[]') as Addition[];
  } catch {
    // It is switched off, or another's.
  }
  return known;
}

sendWaitingBy(sendAdditions);
forgetAtSignOut(() => additions.forEach(forget));
if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    if (key === STORED) additions = withUnstored();
  });
}
