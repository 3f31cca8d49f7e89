/**
 * What was written and is not on the server yet, in this browser: it outlives the page, the tab and the server's absence.
 * Every page that writes keeps its own, so that two tabs do not overwrite each other's; what a page that is gone has kept is
 * taken over by the next one of the same post.
 */

import { newKey } from '../../lib/api';
import { rememberUnsent, WRITTEN } from '../../lib/unsent';
import type { Fields, Post } from './types';
import { waitsNoMore } from './waiting.svelte';

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

/** What is kept of a post, of a new one without an id. */
export type KeptPost = Stored & { name: string; id: number | undefined; title: string };

/** When it was kept, in milliseconds. */
type Stored = Kept & { at: number };

const nameOf = (id: number | undefined) => `${WRITTEN}${id ?? 'new'}.`;

/** What one page keeps. It takes over what was kept last of its post, or `one` alone, as that was when it was found. */
export function keepingHere(one?: KeptPost): Keeping {
  const writer = newKey();
  /** What another page had kept, until this one has kept or saved it. */
  let taken: { name: string; value: string } | undefined;

  /** Gives it up, unless the other page is still there and has gone on. */
  function release(): void {
    if (taken && localStorage.getItem(taken.name) === taken.value) localStorage.removeItem(taken.name);
    taken = undefined;
  }

  return {
    read(id) {
      return quietly(() => {
        const found = all(nameOf(id)).find(({ name, kept: { at } }) => !one || (name === one.name && at === one.at));
        taken = found && { name: found.name, value: found.value };
        return found?.kept;
      });
    },
    write(id, kept) {
      const name = nameOf(id) + writer;
      rememberUnsent(name, [kept.fields.title || kept.fields.body.slice(0, 40)].filter(Boolean));
      quietly(() => {
        localStorage.setItem(name, JSON.stringify({ ...kept, at: Date.now() } satisfies Stored));
        release();
      });
    },
    forget(id) {
      const name = nameOf(id) + writer;
      rememberUnsent(name, []);
      waitsNoMore(id);
      quietly(() => {
        localStorage.removeItem(name);
        release();
      });
    },
  };
}

/**
 * Posts of which this browser keeps what no server has, for so many milliseconds at least, a new one without an id; what was
 * kept last stands first.
 */
export function keptHere(least: number): KeptPost[] {
  const found = quietly(() => all(WRITTEN).filter(({ kept: { at } }) => Date.now() - at >= least)) ?? [];
  const posts = found.map(({ name, kept }) => ({ ...kept, name, id: kept.base?.id, title: kept.fields.title }));
  return posts.filter(({ id }, place) => posts.findIndex((other) => other.id === id) === place);
}

function all(begin: string): { name: string; value: string; kept: Stored }[] {
  const names = Array.from({ length: localStorage.length }, (_, place) => localStorage.key(place) ?? '').filter((name) => name.startsWith(begin));
  const found = names.flatMap((name) => {
    const value = localStorage.getItem(name) ?? '';
    const kept = quietly(() => JSON.parse(value) as Stored);
    return kept ? [{ name, value, kept }] : [];
  });
  return found.sort((one, other) => other.kept.at - one.kept.at);
}

/** Storage may be switched off or full in this browser: then it is there until the page is closed. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
