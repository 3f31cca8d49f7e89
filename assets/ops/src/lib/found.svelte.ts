/** What the server finds while somebody types: asked after a pause, and only the answer to the last words counts. */

import { api, call } from './api';
import { t } from './i18n.svelte';
import type { paths, Schemas } from './schema';
import type { Found, FoundByKind, Search } from './section';

export type Hit = Schemas['Hit'];
/** A part of a text that was found, and whether it is what was looked for. */
export type Piece = Schemas['Piece'];
/** How far a search has come: only one that neither asks nor has failed has found all there is. */
export type Standing = {
  /** An answer is still to come. */
  readonly asking: boolean;
  /** The server could not be asked: what was found is what this browser knows. */
  readonly failed: boolean;
  /** The server has not looked at everything yet: its index is being made, or is behind. */
  readonly partial?: boolean;
};
/** A kind of things that the server finds by words, as a domain declares them in its `search`. */
export type Kind = NonNullable<paths['/api/search']['get']['parameters']['query']['kind']>;

const TYPING_PAUSE_MS = 180;
/** How many of a kind the palette shows. */
const MOST = 6;

/**
 * What `ask` answers about the query, once somebody has stopped typing; `data` is undefined until then, for a query that is
 * not `wanted` (undefined), and when it fails. Reactive; call it while a component is set up.
 */
export function askWhileTyping<T>(wanted: () => string | undefined, ask: (query: string) => Promise<T>): Standing & { readonly data: T | undefined } {
  let answered = $state.raw<{ query: string; data?: T }>();
  const query = $derived(wanted());
  const answer = $derived(answered?.query === query ? answered : undefined);
  $effect(() => {
    const asked = query;
    answered = undefined;
    if (asked === undefined) return;
    let left = false;
    const timer = setTimeout(async () => {
      const came = await ask(asked).then((data) => ({ query: asked, data }), () => ({ query: asked }));
      if (!left) answered = came;
    }, TYPING_PAUSE_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  });
  return {
    get data() {
      return answer?.data;
    },
    get asking() {
      return query !== undefined && answer === undefined;
    },
    get failed() {
      return answer !== undefined && !('data' in answer);
    },
  };
}

/** The first `limit` things of a kind that fit the query, of those that are `done` or not where that is said; none for an empty one. Reactive. */
export function findOnServer(query: () => string, kind: Kind, limit: number, done?: boolean): Standing & { readonly hits: Hit[] } {
  const found = askWhileTyping(
    () => query().trim().normalize('NFC') || undefined,
    (q) => call(api.GET('/api/search', { params: { query: { q, kind, limit, ...(done === undefined ? {} : { done }) } } })),
  );
  return {
    get hits() {
      return found.data?.results ?? [];
    },
    get asking() {
      return found.asking;
    },
    get failed() {
      return found.failed;
    },
    get partial() {
      return found.data?.complete === false;
    },
  };
}

/** How a hit is shown: its title with what was looked for in it, and where its text says it. */
export function marked({ marked, excerpt }: Hit): { pieces: Piece[]; excerpt: Piece[] } {
  return { pieces: marked, excerpt: excerpt.some(({ found }) => found) ? excerpt : [] };
}

/**
 * The search that a section declares by the kind of its things alone, in its offers: `search: { kind: 'plant' }`. The server
 * finds them, and knows where each leads.
 */
export function searchByKind({ kind, name, example, untitled }: FoundByKind, section: Pick<Search, 'name'>): Search {
  return {
    name: name ?? section.name,
    example,
    begin: (query) => {
      const server = findOnServer(query, kind, MOST);
      const asFound = (hit: Hit): Found => ({ id: hit.id, name: hit.title || (untitled ? t(untitled) : ''), ...marked(hit), open: hit.leads_to });
      return foundBy([server], () => server.hits.map(asFound));
    },
  };
}

/** What a search gives that asks by others: what it makes of their hits, and how far they have come together. */
export function foundBy(searches: Standing[], found: () => Found[]): Standing & { readonly found: Found[] } {
  return {
    get found() {
      return found();
    },
    get asking() {
      return together(searches).asking;
    },
    get failed() {
      return together(searches).failed;
    },
    get partial() {
      return together(searches).partial;
    },
  };
}

/** How far several searches have come together. */
export function together(searches: Standing[]): Standing {
  return {
    asking: searches.some(({ asking }) => asking),
    failed: searches.some(({ failed }) => failed),
    partial: searches.some(({ partial }) => partial),
  };
}
