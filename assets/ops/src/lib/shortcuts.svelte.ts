/** Keyboard shortcuts: one key, or two one after the other (`g t`). Never while something is being typed. */

import { SvelteMap } from 'svelte/reactivity';

export type Shortcut = {
  /** `n`, `?`, or a sequence `g t`. */
  keys: string;
  /** What it does, for the list under `?`; a function, so that it follows the language. */
  label: () => string;
  run: () => void;
};

const STORED = 'hanok.shortcuts';
const SEQUENCE_MS = 1_200;

const registered = new SvelteMap<string, Shortcut>();
let enabled = $state(readEnabled());
let first = '';
let firstAt = 0;

/** Adds a shortcut for as long as the component that calls it during its set-up is shown. One whose key was just pressed, before it was here, runs. */
export function shortcut(added: Shortcut): void {
  $effect(() => {
    registered.set(added.keys, added);
    if (first === added.keys && performance.now() - firstAt < SEQUENCE_MS) {
      first = '';
      queueMicrotask(added.run);
    }
    return () => {
      if (registered.get(added.keys) === added) registered.delete(added.keys);
    };
  });
}

/** Every shortcut that works now; reactive. */
export function shortcuts(): Shortcut[] {
  return [...registered.values()];
}

/** Whether single keys do something; people who dictate or have a tremor switch them off. Reactive. */
export function shortcutsEnabled(): boolean {
  return enabled;
}

/** Switches single-key shortcuts on or off, and remembers it in this browser. */
export function enableShortcuts(on: boolean): void {
  enabled = on;
  try {
    localStorage.setItem(STORED, on ? 'on' : 'off');
  } catch {
    // Storage is switched off in this browser: the choice holds until the page is closed.
  }
}

/** Runs the shortcut that a key press completes; for the window's keydown. */
export function whenKeyPressed(event: KeyboardEvent): void {
  if (!enabled || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
  const key = latinKey(event);
  const sequence = event.timeStamp - firstAt < SEQUENCE_MS ? `${first} ${key}` : '';
  const found = registered.get(sequence) ?? registered.get(key);
  first = key;
  firstAt = event.timeStamp;
  if (!found) return;
  event.preventDefault();
  first = '';
  found.run();
}

/** The key's own letter: with a Korean keyboard layout `event.key` is a jamo, so letters are taken from the position. */
function latinKey(event: KeyboardEvent): string {
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1];
  return letter ? letter.toLowerCase() : event.key;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea, select'));
}

function readEnabled(): boolean {
  try {
    return localStorage.getItem(STORED) !== 'off';
  } catch {
    return true;
  }
}
