/** What is being typed into a form of one tab: it is there again when the page is left or loaded anew, until somebody signs out. */

import { forgetAtSignOut, rememberUnsent, TYPED } from './unsent';

export type Draft<T> = {
  /** What was typed; assigned anew it is kept. Not reactive. */
  value: T;
};

/**
 * Keeps what is typed under a name that is unique among all forms; `initial` is what an empty form holds, and `words` says what
 * of it would be lost, as it was typed (its texts that differ from the empty form's, where nothing else is said):
 *
 *     const EMPTY = { title: '', every_days: 7 };
 *     const plant = form(EMPTY, draft('plant', EMPTY));
 */
export function draft<T extends object>(name: string, initial: T, words: (value: T) => string[] = (value) => textsBeside(initial, value)): Draft<T> {
  let value = { ...initial, ...stored<T>(name) };
  const kept: Draft<T> = {
    get value() {
      return value;
    },
    set value(next) {
      value = next;
      rememberUnsent(name, words(next));
      try {
        sessionStorage.setItem(TYPED + name, JSON.stringify(next));
      } catch {
        // Storage is switched off in this browser: it is there until the page is closed.
      }
    },
  };
  forgetAtSignOut(() => (kept.value = initial), name);
  return kept;
}

function stored<T>(name: string): Partial<T> {
  try {
    return JSON.parse(sessionStorage.getItem(TYPED + name) ?? '{}') as Partial<T>;
  } catch {
    return {};
  }
}

function textsBeside<T extends object>(initial: T, value: T): string[] {
  const empty = new Map<string, unknown>(Object.entries(initial));
  return Object.entries(value).flatMap(([field, text]) => (typeof text === 'string' && text.trim() !== '' && text !== empty.get(field) ? [text.trim()] : []));
}
