/** What is being typed into a form of one tab: it is there again when the page is left or loaded anew, until somebody signs out. */

import { forgetAtSignOut, rememberUnsent, TYPED } from './unsent';

export class Typed<T> {
  readonly #name: string;
  readonly #words: (value: T) => string[];
  #value: T;

  /** The name is unique among all forms; `nothing` is what an empty one holds; `words` says what of it would be lost, as it was typed. */
  constructor(name: string, nothing: T, words: (value: T) => string[]) {
    this.#name = name;
    this.#words = words;
    this.#value = nothing;
    try {
      this.#value = { ...nothing, ...(JSON.parse(sessionStorage.getItem(TYPED + name) ?? '{}') as Partial<T>) };
    } catch {
      // Storage is switched off in this browser: it is there until the page is closed.
    }
    forgetAtSignOut(() => (this.value = nothing));
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    this.#value = value;
    rememberUnsent(this.#name, this.#words(value));
    try {
      sessionStorage.setItem(TYPED + this.#name, JSON.stringify(value));
    } catch {
      // As above.
    }
  }
}
