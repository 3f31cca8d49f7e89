/** Live state: what the server's event stream brings, told to whoever listens to a subject. */

import { setLine } from './api';
import { ago, type Reading } from './device-clocks';
import type { paths, Task } from './schema';
import { SharedStream } from './shared-stream';
import type { Line, NewsName } from './stream';

type News = paths['/api/events']['get']['responses'][200]['content']['text/event-stream'];
/** What a `changed` event can name: what the server and its domains announce, as its document lists it. */
export type Subject = Extract<News, { what: string }>['what'];

/** What was asked for before `since` may be out of date. */
type Tell = (since: Reading) => void;

let line = $state<Line>('connecting');
let heardAt = $state.raw(Date.now());
let broke = $state(false);
let stream: SharedStream | undefined;

const changes = new Map<Subject, Set<Tell>>();
/** Who follows no subject is told of each opening all the same. */
const openings = new Set<Tell>();
const tasks = new Set<(task: Task) => void>();
const hellos = new Set<(version: string) => void>();
const values = new Set<(key: string, value: unknown) => void>();
const outs = new Set<() => void>();
const breaks = new Set<() => void>();
const gaps = new Set<(until: number) => void>();

/** How the line is; `lost` means that nothing was heard for a while, and that what is shown may be out of date. Reactive. */
export function liveLine(): Line {
  return line;
}

/** Whether nothing was heard for a while, or an attempt to reach the server has failed since it was heard last: who only waits for a first word has lost nothing. Reactive. */
export function isLost(): boolean {
  return line === 'lost' || broke;
}

/** When the server was last heard, in milliseconds since 1970; reactive. */
export function lastHeard(): number {
  return heardAt;
}

/** Calls `tell` whenever the subject changed, and at each opening, as anything may have changed before it. Returns the end of it. */
export function onChange(what: Subject | Subject[], tell: Tell): () => void {
  const subjects = Array.isArray(what) ? what : [what];
  if (subjects.length === 0) openings.add(tell);
  for (const subject of subjects) {
    const listeners = changes.get(subject) ?? new Set();
    changes.set(subject, listeners.add(tell));
  }
  return () => {
    openings.delete(tell);
    subjects.forEach((subject) => changes.get(subject)?.delete(tell));
  };
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

/** Calls `tell` with the one value that has changed, under the key that it is kept by. Returns the end of it. */
export function onValue(tell: (key: string, value: unknown) => void): () => void {
  values.add(tell);
  return () => values.delete(tell);
}

/** Calls `tell` when another tab has signed out. Returns the end of it. */
export function onOut(tell: () => void): () => void {
  outs.add(tell);
  return () => outs.delete(tell);
}

/** Calls `tell` when the stream broke or did not open: the server may be away, or not let us in any more. Returns the end of it. */
export function onBroken(tell: () => void): () => void {
  breaks.add(tell);
  return () => breaks.delete(tell);
}

/** Calls `tell` with when the server was heard last, as soon as it is heard again after a while in which it was not. Returns the end of it. */
export function onGap(tell: (until: number) => void): () => void {
  gaps.add(tell);
  return () => gaps.delete(tell);
}

/** Listens from now on, over the one stream of all tabs. */
export function openEvents(): void {
  stream ??= new SharedStream({
    line: turn,
    opened: (version, age) => {
      turn('open');
      tellAll(ago(age));
      hellos.forEach((tell) => tell(version));
    },
    missed: () => {
      turn('open');
      tellAll(ago(0));
    },
    news: hear,
    beat: () => turn('open'),
    out: () => outs.forEach((tell) => tell()),
    broken: () => {
      broke = true;
      breaks.forEach((tell) => tell());
    },
  });
}

/** Ends it for good; at sign-out in every tab. */
export function closeEvents(out = false): void {
  stream?.close(out);
  stream = undefined;
  broke = false;
  setLine((line = 'connecting'));
}

/** Tries again at once: the answer to the button next to "no connection". */
export function reconnect(): void {
  stream?.again();
}

function turn(next: Line): void {
  if (next === 'open' && line !== 'open') gaps.forEach((tell) => tell(heardAt));
  if (next === 'open') {
    heardAt = Date.now();
    broke = false;
  }
  if (next !== line) setLine((line = next));
}

function hear(name: NewsName, text: string): void {
  turn('open');
  if (name === 'task') {
    const task = parse<Task>(text);
    if (task) tasks.forEach((tell) => tell(task));
  } else {
    const changed = parse<{ what: Subject; key?: string; value?: unknown }>(text);
    // A store that comes back may hold anything; the server says the same to a browser that fell behind.
    if (changed?.what === 'storage') tellAll(ago(0));
    else if (changed?.key !== undefined) values.forEach((tell) => tell(changed.key ?? '', changed.value));
    else if (changed) {
      // For all the same instant, so that who has just asked for what others show, too, has asked for them.
      const since = ago(0);
      changes.get(changed.what)?.forEach((tell) => tell(since));
    }
  }
}

function tellAll(since: Reading): void {
  new Set([...openings, ...[...changes.values()].flatMap((listeners) => [...listeners])]).forEach((tell) => tell(since));
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
