import type { Component } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginRouting, dropParam, entryNumber, go, holdAddress, missedPage, param, setParam, shownPath, shownPlace, type Place } from './router.svelte';

const HOUSE = 'http://house';
/** A browser's history, as far as it goes. */
let entries: { href: string; state: unknown }[];
let at: number;
let moved: () => void;
/** What answers for a page; one that waits is answered by hand. */
const answers = new Map<string, Promise<Place>>();
let failed: string[];
let end: () => void;

const url = (path: string) => new URL(path, HOUSE);
const here = () => new URL(entries[at]!.href);
const page = (path: string): Place => ({ components: [`the page ${path}`] as unknown as Component<any>[], params: {} });
/** Until what was begun has been done. */
const done = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(async () => {
  [entries, at, failed] = [[{ href: `${HOUSE}/first?draw=7`, state: null }], 0, []];
  answers.clear();
  const write = (by: number) => (state: unknown, _: string, href: string) => {
    at += by;
    entries = [...entries.slice(0, at), { href, state }];
  };
  vi.stubGlobal('history', {
    get state() {
      return entries[at]?.state;
    },
    pushState: write(1), replaceState: write(0),
    go: (by: number) => {
      at += by;
      moved();
    },
  });
  vi.stubGlobal('location', Object.defineProperties({}, Object.fromEntries((['href', 'origin', 'pathname', 'search'] as const).map((part) => [part, { get: () => here()[part] }]))));
  vi.stubGlobal('addEventListener', (name: string, hear: () => void) => name === 'popstate' && (moved = hear));
  vi.stubGlobal('removeEventListener', () => undefined);
  vi.stubGlobal('scrollTo', () => undefined);
  end = beginRouting({ load: (path) => answers.get(path) ?? Promise.resolve(page(path)), missed: (_, { pathname }) => failed.push(pathname) });
  await done();
});

afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

test('what was asked for last is shown, whichever comes first, and nothing before it is there', async () => {
  let come: (page: Place) => void = () => undefined;
  answers.set('/slow', new Promise((resolve) => (come = resolve)));
  void go(url('/slow'));
  await done();
  expect([shownPath(), here().pathname]).toEqual(['/first', '/first']);
  await go(url('/quick'));
  come(page('/slow'));
  await done();
  expect([shownPath(), here().pathname, shownPlace()]).toEqual(['/quick', '/quick', page('/quick')]);
});

test('entries are counted, and one that is replaced keeps its number', async () => {
  await go(url('/second'));
  await go(url('/third'), true);
  expect([here().pathname, entryNumber(), entries.length]).toEqual(['/third', 1, 2]);
  history.go(-1);
  await done();
  expect([shownPath(), entryNumber()]).toEqual(['/first', 0]);
  await go(url('/fourth'));
  expect(entryNumber()).toBe(1);
});

test('who holds the address is asked before every way out of it, and the way back is taken back', async () => {
  await go(url('/second'));
  let asked = 0;
  const release = holdAddress(() => ((asked += 1), false));
  await go(url('/third'));
  history.go(-1);
  await done();
  expect([asked, shownPath(), here().pathname, entryNumber()]).toEqual([2, '/second', '/second', 1]);
  release();
  history.go(-1);
  await done();
  expect(shownPath()).toBe('/first');
});

test('a word of the address is changed in an entry of its own, and taken away in the same', () => {
  expect(param('draw')).toBe('7');
  setParam('draw', 8);
  expect([param('draw'), entries.length, entryNumber()]).toEqual(['8', 2, 1]);
  dropParam('draw');
  expect([param('draw'), here().search, entries.length, entryNumber()]).toEqual([null, '', 2, 1]);
});

test('a page that does not come is missed where the browser stands at its address, and left to others elsewhere', async () => {
  answers.set('/away', Promise.reject(new Error('away')));
  await go(url('/away'));
  expect([failed, missedPage(), shownPath()]).toEqual([['/away'], undefined, '/first']);
  answers.set('/first', Promise.reject(new Error('away')));
  await go(url('/second'));
  history.go(-1);
  await done();
  expect([missedPage()?.pathname, shownPath()]).toEqual(['/first', '/second']);
  await go(url('/second'));
  expect(missedPage()).toBeUndefined();
});
