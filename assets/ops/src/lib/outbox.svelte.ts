/**
 * What was added here and is not saved yet. It stays on this device until the server has confirmed it, also when the page is
 * loaded anew or the server is away, and goes out again under its first `Idempotency-Key`, so that it is done once:
 *
 *     await enqueue('/api/plants', { title }, title);      // throws only what is wrong with it
 *     const waiting = $derived(entriesFor<NewPlant>('/api/plants'));
 *     onDestroy(onSaved<Plant>('/api/plants', (plant) => list.add(plant)));
 *
 * Its path takes a POST that gives an `id`, and `{path}/{id}` a DELETE, by which one that was discarded on its way is taken back.
 */

import { api, asApiError, call, newKey, orGone, type ApiError } from './api';
import { isLost, liveLine } from './events.svelte';
import { forgetAtSignOut } from './unsent';
import { sendWaitingBy, STORED } from './waiting';

export type OutboxEntry<Body = unknown> = {
  /** Its `Idempotency-Key`. */
  key: string;
  /** Where it is posted to. */
  path: string;
  body: Body;
  /** What people know it by; what was added by an earlier version has none. */
  name?: string;
  /** When it was added, in milliseconds since 1970. */
  since: number;
  /** It was discarded after it had been sent: the server may have it, and what comes of it is deleted there. */
  givenUp?: true;
};

/** The server knows a key for a day; what is older may be there already, and goes out only when somebody says so. */
const FRESH_MS = 23 * 3_600_000;
/** With these the server has looked at it and will not take it as it is. */
const WRONG = [400, 413, 422];
/** How long it is waited where the server does not say how long. */
const PAUSE_S = 30;

type Change = (all: OutboxEntry[]) => OutboxEntry[];

/** Changes that storage did not take: they hold until the page is closed, over whatever other tabs store. */
let unstored: Change[] = [];
let known: OutboxEntry[] = [];
let entries = $state.raw<OutboxEntry[]>(read());
/** By key: whether it is on its way, and why it could not be saved at the last attempt. */
let states = $state.raw<Record<string, { sending?: boolean; problem?: ApiError | undefined }>>({});
/** Keys of those that are being deleted on the server: that cannot be taken back any more. */
const deleting = new Set<string>();
const listeners = new Map<string, Set<(answer: never) => void>>();
let pause: ReturnType<typeof setTimeout> | undefined;

/** What waits to be added there, oldest first; reactive. */
export function entriesFor<Body>(path: string): OutboxEntry<Body>[] {
  return unsaved().filter((entry): entry is OutboxEntry<Body> => entry.path === path);
}

/** What is nowhere but on this device, oldest first; reactive. */
export function unsaved(): OutboxEntry[] {
  return entries.filter(({ givenUp }) => !givenUp);
}

/** Whether it is on its way; reactive. */
export const isSending = ({ key }: OutboxEntry): boolean => states[key]?.sending === true;

/** Whether it waits, for somebody or for the server: what is sent to one that is known to be away waits, too. Reactive. */
export const isWaiting = (entry: OutboxEntry): boolean => !isSending(entry) || isLost();

/** Why it could not be saved at the last attempt; reactive. */
export const problemOf = ({ key }: OutboxEntry): ApiError | undefined => states[key]?.problem;

/** Whether it is too old to be sent by itself. */
export const isOld = ({ since }: OutboxEntry): boolean => Date.now() - since >= FRESH_MS;

/** Adds it, and keeps it until it is saved; `name` is what people know it by. Throws only what is wrong with it, so that the form can have it back. */
export async function enqueue(path: string, body: unknown, name: string): Promise<void> {
  const entry = { key: newKey(), path, body, name, since: Math.max(Date.now(), ...entries.map(({ since }) => since + 1)) };
  change((all) => [...all, entry]);
  await send(entry);
  const problem = problemOf(entry);
  if (!isWrong(problem)) return;
  forget(entry);
  throw problem;
}

/** Tries one again: under the same key, as long as the server knows it. */
export async function retry(entry: OutboxEntry): Promise<void> {
  const again = isOld(entry) ? { ...entry, key: newKey(), since: Date.now() } : entry;
  if (again !== entry) replace(entry, again);
  await send(again);
}

/** Sends what waits, one after the other, as when the server is there again. */
export async function flush(): Promise<void> {
  for (const entry of entries) {
    if (!isOld(entry)) await send(entry);
    // The server does not know any more what became of it.
    else if (entry.givenUp) forget(entry);
  }
}

/** Gives one up. What the server may have heard of is kept until it is known what became of it, and deleted there, too. */
export function discard(entry: OutboxEntry): void {
  if (!isSending(entry) && (isOld(entry) || isWrong(problemOf(entry)))) forget(entry);
  else replace(entry, { ...entry, givenUp: true });
}

/** Brings one back that was discarded, and sends it. */
export async function restore(entry: OutboxEntry): Promise<void> {
  // What the server made under a key that is not kept is gone: it is made anew.
  const isKept = entries.some(({ key }) => key === entry.key) && !deleting.has(entry.key);
  const again = isKept ? entry : { ...entry, key: newKey() };
  change((all) => [...all.filter(({ key }) => key !== again.key), again].sort((a, b) => a.since - b.since));
  if (!isOld(again)) await send(again);
}

/** Calls `tell` with what the server made of each that was added there. Returns the end of it. */
export function onSaved<T>(path: string, tell: (answer: T) => void): () => void {
  const of = listeners.get(path) ?? new Set();
  listeners.set(path, of.add(tell));
  return () => void of.delete(tell);
}

async function send(entry: OutboxEntry): Promise<void> {
  const { key, path, body } = entry;
  if (isSending(entry)) return;
  mark(key, { sending: true });
  // In whichever tab.
  const isGivenUp = () => entries.some((other) => other.key === key && other.givenUp);
  try {
    const answer = await call(api.POST(path as '/api/todos', { body: body as never, headers: { 'Idempotency-Key': key } }));
    if (isGivenUp()) await withdraw(entry, answer.id);
    else listeners.get(path)?.forEach((tell) => tell(answer as never));
    forget(entry);
  } catch (cause) {
    const problem = asApiError(cause);
    if (isGivenUp() && isWrong(problem)) forget(entry);
    else mark(key, { problem });
    // The line may stay open, and bring no reason to try again.
    if (!isWrong(problem) && (problem.status > 0 || liveLine() === 'open')) flushAfter(problem.retry_after ?? PAUSE_S);
  } finally {
    mark(key, { sending: false });
  }
}

/** Deletes what the server made of one that was discarded. */
async function withdraw({ key, path }: OutboxEntry, id: number): Promise<void> {
  deleting.add(key);
  try {
    await orGone(call(api.DELETE(`${path}/{id}` as '/api/todos/{id}', { params: { path: { id } }, keepalive: true })));
  } finally {
    deleting.delete(key);
  }
}

function flushAfter(seconds: number): void {
  pause ??= setTimeout(() => {
    pause = undefined;
    void flush();
  }, seconds * 1_000);
}

function isWrong(problem: ApiError | undefined): boolean {
  return problem !== undefined && WRONG.includes(problem.status);
}

function mark(key: string, state: { sending?: boolean; problem?: ApiError | undefined }): void {
  states = { ...states, [key]: { ...states[key], ...state } };
}

function forget({ key }: OutboxEntry): void {
  mark(key, { problem: undefined });
  change((all) => all.filter((other) => other.key !== key));
}

function replace({ key }: OutboxEntry, by: OutboxEntry): void {
  change((all) => all.map((other) => (other.key === key ? by : other)));
}

/** Reads before it writes: other tabs add and save, too. */
function change(by: Change): void {
  unstored = [...unstored, by];
  entries = read();
  try {
    localStorage.setItem(STORED, JSON.stringify(entries));
    known = entries;
    unstored = [];
  } catch {
    // Storage is switched off or full.
  }
}

/** What is stored, with the changes that storage did not take. */
function read(): OutboxEntry[] {
  try {
    known = JSON.parse(localStorage.getItem(STORED) ?? '[]') as OutboxEntry[];
  } catch {
    // It is switched off, or another's: what was last found there, or put there.
  }
  return unstored.reduce((all, by) => by(all), known);
}

sendWaitingBy(flush);
forgetAtSignOut(() => entries.forEach(forget));
if (typeof window !== 'undefined') addEventListener('storage', ({ key }) => key === STORED && (entries = read()));
