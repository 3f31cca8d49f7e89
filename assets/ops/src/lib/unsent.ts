/** What was typed and not sent yet outlives its page, and a session that ended elsewhere; who signs out takes it along. */

/** All that forms of a tab keep in its storage begins with this. */
export const TYPED = 'hanok.typed.';
/** All that is written and kept for every tab of a browser begins with this. */
export const WRITTEN = 'hanok.written.';
const STORED = 'hanok.unsent';

const forgets = new Map<unknown, () => void>();
/** By the form; kept beside what is typed, for the page of a form may not be loaded when somebody signs out. */
let words = stored();

/** Names how one kind of it is forgotten; the last one of a name counts. */
export function forgetAtSignOut(forget: () => void, name: unknown = forget): void {
  forgets.set(name, forget);
}

/** Keeps in mind what of a form would be lost, each in the words that were typed. */
export function rememberUnsent(form: string, typed: string[]): void {
  const { [form]: _, ...others } = words;
  words = typed.length > 0 ? { ...others, [form]: typed } : others;
  try {
    sessionStorage.setItem(STORED, JSON.stringify(words));
  } catch {
    // Storage is switched off in this browser: it is there until the page is closed.
  }
}

/** What would be lost of all forms of this tab. */
export function unsentWords(): string[] {
  return Object.values(words).flat();
}

/** Forgets all of it. */
export function forgetUnsent(): void {
  forgets.forEach((forget) => forget());
  words = {};
  clear(() => sessionStorage, (key) => key === STORED || key.startsWith(TYPED));
  clear(() => localStorage, (key) => key.startsWith(WRITTEN));
}

function clear(storage: () => Storage, goes: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(storage())) if (goes(key)) storage().removeItem(key);
  } catch {
    // As above.
  }
}

function stored(): Record<string, string[]> {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? '{}') as Record<string, string[]>;
  } catch {
    return {};
  }
}
