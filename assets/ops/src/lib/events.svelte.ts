/** Live state: the server's event stream, reopened when it breaks, told to whoever listens to a subject. */

import type { Task } from './schema';

/** What a `changed` event can name; each section adds the subjects that it announces in its declaration. */
export interface Subjects { jobs: true; backups: true; storage: true; household: true }
export type Subject = keyof Subjects;

type Line = 'connecting' | 'open' | 'lost';
/** `since` is an instant of `performance.now()`: what was asked for before it may be out of date. */
type Tell = (since: number) => void;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const HIDDEN_MS = 60_000;

let line = $state<Line>('connecting');
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let hiding: ReturnType<typeof setTimeout> | undefined;
let wait = FIRST_WAIT_MS;
/** When the stream that opens next was asked for. */
let asked = Infinity;

const changes = new Map<Subject, Set<Tell>>();
const tasks = new Set<(task: Task) => void>();
const hellos = new Set<(version: string) => void>();

/** Whether the stream is open; `lost` means that what is shown may be out of date. Reactive. */
export function liveLine(): Line {
  return line;
}

/** Calls `tell` whenever the subject changed, and at each opening, as anything may have changed before it. Returns the end of it. */
export function onChange(what: Subject | Subject[], tell: Tell): () => void {
  const subjects = Array.isArray(what) ? what : [what];
  for (const subject of subjects) {
    const listeners = changes.get(subject) ?? new Set();
    changes.set(subject, listeners.add(tell));
  }
  return () => subjects.forEach((subject) => changes.get(subject)?.delete(tell));
}

/** Calls `tell` with every step of every background task. Returns the end of it. */
export function onTask(tell: (task: Task) => void): () => void {
  tasks.add(tell);
  return () => tasks.delete(tell);
}

/** Calls `tell` with the server's version at each connection. Returns the end of it. */
export function onHello(tell: (version: string) => void): () => void {
  hellos.add(tell);
  return () => hellos.delete(tell);
}

/** Opens the stream; it stays open while the page is seen. */
export function openEvents(): void {
  if (source) return;
  open();
  document.addEventListener('visibilitychange', whenSeen);
}

/** Closes the stream for good, at sign-out. */
export function closeEvents(): void {
  document.removeEventListener('visibilitychange', whenSeen);
  hangUp();
  line = 'connecting';
}

/** Tries again at once: the answer to the button next to "no connection". */
export function reconnect(): void {
  wait = FIRST_WAIT_MS;
  hangUp();
  open();
}

function open(): void {
  const opened = new EventSource('/api/events');
  source = opened;
  asked = performance.now();
  opened.addEventListener('open', () => {
    wait = FIRST_WAIT_MS;
    line = 'open';
    tellAll(asked);
  });
  opened.addEventListener('error', () => {
    line = 'lost';
    // While it is CONNECTING the browser retries by itself, nobody knows when; CLOSED means that it gave up.
    asked = Infinity;
    if (opened.readyState === EventSource.CLOSED) openLater();
  });
  opened.addEventListener('hello', (event) => {
    const hello = parse<{ version: string }>(event);
    if (hello) hellos.forEach((tell) => tell(hello.version));
  });
  opened.addEventListener('changed', (event) => {
    const changed = parse<{ what: Subject }>(event);
    // A store that comes back may hold anything; the server says the same to a browser that fell behind.
    if (changed?.what === 'storage') tellAll(performance.now());
    else if (changed) changes.get(changed.what)?.forEach((tell) => tell(performance.now()));
  });
  opened.addEventListener('task', (event) => {
    const task = parse<Task>(event);
    if (task) tasks.forEach((tell) => tell(task));
  });
}

function openLater(): void {
  hangUp();
  retry = setTimeout(open, wait);
  wait = Math.min(wait * 2, LONGEST_WAIT_MS);
}

function hangUp(): void {
  clearTimeout(retry);
  source?.close();
  source = undefined;
}

/** A page nobody looks at gives its connection back after a minute: a browser allows six to one server. */
function whenSeen(): void {
  clearTimeout(hiding);
  if (document.visibilityState === 'hidden') hiding = setTimeout(hangUp, HIDDEN_MS);
  else if (!source) reconnect();
}

function tellAll(since: number): void {
  new Set([...changes.values()].flatMap((listeners) => [...listeners])).forEach((tell) => tell(since));
}

function parse<T>(event: Event): T | undefined {
  try {
    return JSON.parse((event as MessageEvent<string>).data) as T;
  } catch {
    return undefined;
  }
}
