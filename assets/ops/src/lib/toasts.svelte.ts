/** Short messages at the edge of the screen, and deletions that can be taken back while theirs is shown. */

import { SvelteMap } from 'svelte/reactivity';

export type Toast = {
  id: number; text: string; tone: 'plain' | 'problem'; action: { label: string; run: () => void } | undefined;
  /** How often it was said while it was shown. */
  times: number;
  /** What it says of which kind of thing: the newest takes the place of the one before. */
  about?: string | undefined;
  /** It goes when the server is heard again. */
  isOfAway?: boolean;
};

const PLAIN_MS = 5_000;
const UNDO_MS = 7_000;
const PROBLEM_MS = 12_000;
/** More would hide the page; the oldest makes room. */
const MOST = 3;

const shown = new SvelteMap<number, Toast>();
const endings = new Map<number, { timer: ReturnType<typeof setTimeout>; end: (isLeft: boolean) => void }>();
let last = 0;

/** The messages to show, oldest first; reactive. */
export function toasts(): Toast[] {
  return [...shown.values()];
}

/** Says that something was done. What says the like of another thing (`about`) gives way to it: many in a row do not pile up. */
export function toast(text: string, action?: Toast['action'], about?: string): void {
  const before = about !== undefined && toasts().find((one) => one.about === about && one.text !== text);
  if (before) forget(before.id);
  say({ text, tone: 'plain', action, about }, PLAIN_MS);
}

/**
 * Says that something did not work and what to do; for failures that have no place of their own on the page. One that
 * `isOfAway` says nothing any more once the server is heard.
 */
export function toastProblem(text: string, action?: Toast['action'], isOfAway = false): void {
  say({ text, tone: 'problem', action, isOfAway }, PROBLEM_MS);
}

/** The server is heard again: what said that it is away goes. */
export function endAway(): void {
  toasts().forEach(({ id, isOfAway }) => isOfAway && forget(id));
}

/**
 * Offers to take something back. The page has already hidden what goes; `commit` really removes it when the message
 * ends or the page is left, which it is told, `undo` shows it again instead. Gives what ends the message without either.
 */
export function toastUndo(text: string, label: string, undo: () => void, commit: (isLeft: boolean) => void): () => void {
  const id = show({ text, tone: 'plain', action: { label, run: () => { forget(id); undo(); } } }, UNDO_MS, commit);
  return () => forget(id);
}

/** Ends a message now; a pending removal is carried out. */
export function dismiss(id: number, isLeft = false): void {
  const ending = endings.get(id);
  forget(id);
  ending?.end(isLeft);
}

/** Gives the reader time: no message ends while the pointer or the focus is on them. */
export function holdToasts(held: boolean): void {
  for (const [id, ending] of endings) {
    if (held) clearTimeout(ending.timer);
    else restart(id, PLAIN_MS);
  }
}

/** Says it, or says of what is shown that it was said again. */
function say(message: Omit<Toast, 'id' | 'times'>, milliseconds: number): void {
  const same = toasts().find(({ text, tone, action }) => text === message.text && tone === message.tone && action?.label === message.action?.label);
  if (!same) {
    show(message, milliseconds, () => undefined);
    return;
  }
  shown.set(same.id, { ...same, action: message.action, times: same.times + 1 });
  restart(same.id, milliseconds);
}

function show(message: Omit<Toast, 'id' | 'times'>, milliseconds: number, end: (isLeft: boolean) => void): number {
  const id = ++last;
  shown.set(id, { id, ...message, times: 1 });
  endings.set(id, { timer: setTimeout(() => dismiss(id), milliseconds), end });
  const others = toasts().slice(0, -1);
  // What can be taken back stays longest.
  if (others.length >= MOST) dismiss((others.find(({ action }) => !action) ?? others[0])!.id);
  return id;
}

function restart(id: number, milliseconds: number): void {
  const ending = endings.get(id);
  if (!ending) return;
  clearTimeout(ending.timer);
  ending.timer = setTimeout(() => dismiss(id), milliseconds);
}

function forget(id: number): void {
  clearTimeout(endings.get(id)?.timer);
  endings.delete(id);
  shown.delete(id);
}

if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => [...endings.keys()].forEach((id) => dismiss(id, true)));
}
