/** Choices about the look of the app that this browser remembers, shared by its tabs. */

/** A choice under a name of its own; `read` takes what was stored, whoever wrote it, and gives undefined for what it does not know. */
export class Kept<T> {
  #value: T;
  #name: string;

  constructor(name: string, otherwise: T, read: (stored: unknown) => T | undefined) {
    this.#name = `hanok.${name}`;
    this.#value = $state.raw(readStored(this.#name, read) ?? otherwise);
    if (typeof window === 'undefined') return;
    window.addEventListener('storage', ({ key }) => {
      if (key === this.#name || key === null) this.#value = readStored(this.#name, read) ?? otherwise;
    });
  }

  /** The choice; reactive. */
  get value(): T {
    return this.#value;
  }

  set value(next: T) {
    this.#value = next;
    try {
      localStorage.setItem(this.#name, JSON.stringify(next));
    } catch {
      // Storage is switched off in this browser: the choice holds until the page is closed.
    }
  }
}

/** For `Kept`: a list of texts. */
export function texts(stored: unknown): string[] | undefined {
  return Array.isArray(stored) && stored.every((text) => typeof text === 'string') ? stored : undefined;
}

function readStored<T>(name: string, read: (stored: unknown) => T | undefined): T | undefined {
  try {
    return read(JSON.parse(localStorage.getItem(name) ?? 'null'));
  } catch {
    return undefined;
  }
}
