/** Choices about the look of the app that this browser remembers, shared by its tabs. */

/** A choice; assigned anew it is remembered. Reactive. */
export type Persisted<T> = { value: T };

/**
 * A choice under a name of its own; `read` takes what was stored, whoever wrote it, and gives undefined for what it does not
 * know: `const folded = persisted('folded', [], texts)`, then `folded.value = [...]`.
 */
export function persisted<T>(name: string, otherwise: T, read: (stored: unknown) => T | undefined): Persisted<T> {
  const key = `hanok.${name}`;
  let value = $state.raw(readStored(key, read) ?? otherwise);
  if (typeof window !== 'undefined') {
    window.addEventListener('storage', (event) => {
      if (event.key === key || event.key === null) value = readStored(key, read) ?? otherwise;
    });
  }
  return {
    get value() {
      return value;
    },
    set value(next) {
      value = next;
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Storage is switched off in this browser: the choice holds until the page is closed.
      }
    },
  };
}

/** For `persisted`: a list of texts. */
export function texts(stored: unknown): string[] | undefined {
  return Array.isArray(stored) && stored.every((text) => typeof text === 'string') ? stored : undefined;
}

function readStored<T>(key: string, read: (stored: unknown) => T | undefined): T | undefined {
  try {
    return read(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return undefined;
  }
}
