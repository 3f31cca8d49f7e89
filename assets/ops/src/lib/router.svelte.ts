/**
 * Which address the app shows. Links, the browser's history and `go` lead to another one; what lies there is loaded before it
 * is shown, and until then what was shown stays. Each entry of the history has a number.
 */

import type { Component } from 'svelte';

/** What lies at an address. */
export type Place = {
  /** Each around the next one. */
  components: Component<any>[];
  /** What stands in the address for each `:name` of its pattern: the innermost component takes them as properties. */
  params: Record<string, string>;
};

/** What lies at the addresses of the app. */
export type Places = {
  load: (pathname: string) => Promise<Place>;
  /** Those of another address than the browser's could not be loaded. */
  missed: (error: unknown, address: URL) => void;
};

/** The page whose files did not come, while its address stands in the browser: it is said in its place. */
export type Missed = { pathname: string; error: unknown };

/** How an address comes into the history: as the next entry, in the place of this one, or it is there already. */
type Entry = 'next' | 'same' | 'there';

let places: Places;
let pathname = $state('/');
let search = $state('');
let shown = $state.raw<Place>({ components: [], params: {} });
let missed = $state.raw<Missed>();
let asked = 0;
let place = 0;
let isComingBack = false;
const holders = new Set<() => boolean>();

/** The path of the address that is shown; reactive. */
export function shownPath(): string {
  return pathname;
}

/** What is shown; reactive. */
export function shownPlace(): Place {
  return shown;
}

/** Undefined when the page that is shown is that of the address. Reactive. */
export function missedPage(): Missed | undefined {
  return missed;
}

/** Says why it is missing now. */
export function missPage(next: Missed): void {
  missed = next;
}

/** A word of the address after its question mark; null without it. Reactive. */
export function param(name: string): string | null {
  return new URLSearchParams(search).get(name);
}

/** Changes a word of the address, in a new entry of the history, or in the one that is there (`same`) for what changes with every key; undefined takes it away. */
export function setParam(name: string, value: string | number | undefined, entry: Entry = 'next'): void {
  const address = new URL(location.href);
  // A number becomes a text there.
  if (value === undefined) address.searchParams.delete(name);
  else address.searchParams.set(name, value as string);
  write(entry, address.href);
  read();
}

/** Takes a word of the address away that was followed, in the same entry. */
export function dropParam(name: string): void {
  setParam(name, undefined, 'same');
}

/** The number of the entry at which the browser stands. */
export function entryNumber(): number {
  return (history.state as { number?: number } | null)?.number ?? 0;
}

/** Asks `mayLeave` before any way to another address, back and forth, too. Returns the end of it. */
export function holdAddress(mayLeave: () => boolean): () => void {
  holders.add(mayLeave);
  return () => void holders.delete(mayLeave);
}

/** Shows what lies at the address of the browser, and follows it from here on. Returns the end of it. */
export function beginRouting(of: Places): () => void {
  places = of;
  place = entryNumber();
  write('same', location.href);
  read();
  void show(new URL(location.href), 'there');
  addEventListener('popstate', whenMoved);
  addEventListener('click', whenClicked);
  return () => {
    removeEventListener('popstate', whenMoved);
    removeEventListener('click', whenClicked);
  };
}

/** Goes to an address of the app; with `replace` in the place of this one in the history. */
export async function go(address: URL, replace = false): Promise<void> {
  if (mayLeave()) await show(address, replace ? 'same' : 'next');
}

async function show(address: URL, entry: Entry): Promise<void> {
  asked += 1;
  const mine = asked;
  try {
    const place = await places.load(address.pathname);
    if (mine !== asked) return;
    if (entry !== 'there') write(entry, address.href);
    read();
    shown = place;
    missed = undefined;
    scrollTo(0, 0);
  } catch (error) {
    if (mine !== asked) return;
    if (address.pathname === location.pathname) missed = { pathname: address.pathname, error };
    else places.missed(error, address);
  }
}

/** All are asked, until one says no. */
function mayLeave(): boolean {
  return [...holders].every((may) => may());
}

function whenMoved(): void {
  if (isComingBack) {
    isComingBack = false;
    return;
  }
  const away = place - entryNumber();
  if (mayLeave()) {
    place = entryNumber();
    void show(new URL(location.href), 'there');
  } else if (away !== 0) {
    isComingBack = true;
    history.go(away);
  }
}

/** A click with a modifier opens a tab or a window, as everywhere. */
function whenClicked(event: MouseEvent): void {
  const link = (event.target as Element).closest('a');
  const href = link?.getAttribute('href') ?? '#';
  if (!link || href.startsWith('#') || link.hasAttribute('target') || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
  event.preventDefault();
  void go(new URL(link.href));
}

function write(entry: Entry, href: string): void {
  if (entry === 'next') place += 1;
  history[entry === 'next' ? 'pushState' : 'replaceState']({ number: place }, '', href);
}

function read(): void {
  ({ pathname, search } = location);
}
