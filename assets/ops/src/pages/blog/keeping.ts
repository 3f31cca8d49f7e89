/** What was written and is not on the server yet, in this browser: it outlives the page, the tab and the server's absence. */

import { forgetAtSignOut, rememberUnsent } from '../../lib/unsent';
import type { Fields, Post } from './types';

export type Kept = {
  fields: Fields;
  /** The post as it was when this was written on it. */
  base?: Post;
  /** The key under which it was sent as a new post, and what was sent so. */
  key?: string;
  sent?: Fields | undefined;
};

export type Keeping = {
  read: (id: number | undefined) => Kept | undefined;
  write: (id: number | undefined, kept: Kept) => void;
  forget: (id: number | undefined) => void;
};

const STORED = 'hanok.written.';
const nameOf = (id: number | undefined) => `${STORED}${id ?? 'new'}`;

/** One for all tabs of this browser: the server tells whoever writes in two of them. */
export const KEEPING: Keeping = {
  read(id) {
    try {
      return (JSON.parse(localStorage.getItem(nameOf(id)) ?? 'null') as Kept | null) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write(id, kept) {
    rememberUnsent(nameOf(id), [kept.fields.title || kept.fields.body.slice(0, 40)].filter(Boolean));
    try {
      localStorage.setItem(nameOf(id), JSON.stringify(kept));
    } catch {
      // Storage is switched off or full in this browser: it is there until the page is closed.
    }
  },
  forget(id) {
    rememberUnsent(nameOf(id), []);
    try {
      localStorage.removeItem(nameOf(id));
    } catch {
      // As above.
    }
  },
};

forgetAtSignOut(() => {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(STORED)) localStorage.removeItem(name);
  } catch {
    // As above.
  }
});
