/** Whatever becomes of the page, the tab and the server: what was written is on the server, or still in this browser. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api';
import { forgetUnsent } from '../../lib/unsent';
import { blank } from './fields';
import { keepingHere, keptHere, type Keeping } from './keeping';
import type { Fields, Post } from './types';
import { Writing, type Server } from './writing.svelte';

const AT = '2026-10-10T12:30:00Z';
const pause = (milliseconds = 1_000) => vi.advanceTimersByTimeAsync(milliseconds);

/** What browsers keep for all tabs. */
class Shelves {
  [name: string]: unknown;
  getItem(name: string) {
    return Object.hasOwn(this, name) ? this[name] : null;
  }
  setItem(name: string, value: string) {
    this[name] = value;
  }
  removeItem(name: string) {
    delete this[name];
  }
  key(place: number) {
    return Object.keys(this)[place] ?? null;
  }
  get length() {
    return Object.keys(this).length;
  }
}

let shelves: Shelves;
let post: Post | undefined;
let refused: ApiError | undefined;
let sent: unknown[];
/** The server takes spaces from the ends of an excerpt. */
const take = (id: number, version: number, fields: Fields): Post => (post = { ...fields, excerpt: fields.excerpt.trim(), id, version, excerpt_given: fields.excerpt.trim() !== '', words: 0, minutes: 0, created_at: AT, updated_at: AT });

const server: Server = {
  async add(fields) {
    ask(fields);
    return take(1, 1, fields);
  },
  async change(id, { version, ...changes }) {
    ask(changes);
    const before = await server.find(id);
    if (version !== before.version) throw new ApiError('NEWER_VERSION', 409, '');
    return take(id, version + 1, { ...before, ...changes });
  },
  async find() {
    if (refused) throw refused;
    if (!post) throw new ApiError('NOT_FOUND', 404, '');
    return post;
  },
  restore: (id) => server.find(id),
};

function ask(what: unknown): void {
  if (refused) throw refused;
  sent.push(what);
}

function tab(keeping: Keeping = keepingHere()): Writing {
  return new Writing(server, keeping, post);
}

function type(writing: Writing, fields: Partial<Fields>): void {
  Object.assign(writing.fields, fields);
  writing.written();
}

/** Somebody else has written it on another machine. */
const elsewhere = (body: string) => take(1, post!.version + 1, { ...post!, body });
const offline = () => new ApiError('OFFLINE', 0, '');

beforeEach(() => {
  vi.useFakeTimers();
  shelves = new Shelves();
  vi.stubGlobal('localStorage', shelves);
  refused = undefined;
  sent = [];
  take(1, 1, { ...blank(0), title: 'Soup', body: 'Water' });
});
afterEach(() => {
  forgetUnsent();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a page that is loaded anew twice asks again which of two texts stays, and overwrites neither', async () => {
  refused = offline();
  type(tab(), { body: 'Onions' });
  refused = undefined;
  elsewhere('Leeks');
  for (const time of ['first', 'second', 'third']) {
    const writing = tab();
    await pause();
    expect([time, writing.standing, writing.theirs?.body, writing.fields.body, post?.body]).toEqual([time, 'changed_elsewhere', 'Leeks', 'Onions', 'Leeks']);
  }
});

test('what one tab has kept is not forgotten when another has saved', async () => {
  const [one, other] = [tab(), tab()];
  refused = offline();
  type(one, { body: 'Onions' });
  type(other, { body: 'Leeks' });
  refused = undefined;
  await other.save();
  expect(post?.body).toBe('Leeks');
  expect(tab().fields.body).toBe('Onions');
});

test('what was kept by a tab that is gone is taken over by one page, and kept no more once it is saved', async () => {
  refused = offline();
  type(tab(), { body: 'Onions' });
  refused = undefined;
  const writing = tab();
  expect(keptHere(0)).toEqual([{ id: 1, title: 'Soup' }]);
  await writing.save();
  expect([post?.body, keptHere(0), shelves.length]).toEqual(['Onions', [], 0]);
});

test('who leaves the page while the server is away need not come back for it to be sent', async () => {
  const writing = tab();
  refused = offline();
  type(writing, { body: 'Onions' });
  writing.end();
  await pause(20_000);
  expect(post?.body).toBe('Water');
  refused = undefined;
  await pause(5_000);
  expect([post?.body, shelves.length]).toEqual(['Onions', 0]);
});

test('who comes back to a post that is still being sent goes on with the same text', async () => {
  const first = tab();
  refused = offline();
  type(first, { body: 'Onions' });
  first.end();
  await pause();
  const again = await Writing.begin(server, keepingHere, 1);
  expect(again).toBe(first);
  refused = undefined;
  await pause(5_000);
  expect((await Writing.begin(server, keepingHere, 1)).fields.body).toBe('Onions');
});

test('a post opens with what was kept of it while the server is away, and after somebody has deleted it', async () => {
  refused = offline();
  type(tab(), { body: 'Onions' });
  forgetLiving();
  const away = await Writing.begin(server, keepingHere, 1);
  await pause();
  expect([away.fields.body, away.standing]).toEqual(['Onions', 'away']);
  [refused, post] = [undefined, undefined];
  await pause(5_000);
  expect([away.fields.body, away.standing]).toEqual(['Onions', 'gone']);
});

test('a post of which nothing was kept does not open without the server', async () => {
  refused = offline();
  await expect(Writing.begin(server, keepingHere, 1)).rejects.toThrow();
});

test('what the server has trimmed counts as saved, and is not sent again and again', async () => {
  const writing = tab();
  type(writing, { excerpt: 'For cold days ' });
  await pause(20_000);
  expect([writing.standing, sent.length, shelves.length, writing.fields.excerpt]).toEqual(['saved', 1, 0, 'For cold days ']);
  type(writing, { excerpt: 'For cold days and nights' });
  await pause();
  expect(post?.excerpt).toBe('For cold days and nights');
});

test('what was refused for want of a session is sent once somebody has come in again', async () => {
  const writing = tab();
  refused = new ApiError('UNAUTHENTICATED', 401, '');
  type(writing, { body: 'Onions' });
  await pause();
  expect(writing.standing).toBe('refused');
  refused = undefined;
  await writing.look();
  expect([writing.standing, post?.body]).toEqual(['saved', 'Onions']);
});

test('who took the other text by mistake has the own one back', async () => {
  const writing = tab();
  elsewhere('Leeks');
  type(writing, { body: 'Onions' });
  await pause();
  const mine = await writing.decide(false);
  expect(writing.fields.body).toBe('Leeks');
  writing.takeBack(mine!);
  await pause();
  expect([post?.body, writing.standing]).toEqual(['Onions', 'saved']);
});

test('who signs out leaves nothing in the browser, and nothing goes out afterwards', async () => {
  const writing = tab();
  refused = offline();
  type(writing, { body: 'Onions' });
  forgetUnsent();
  writing.end();
  refused = undefined;
  await pause(20_000);
  expect([shelves.length, sent, keptHere(0)]).toEqual([0, [], []]);
});

/** As when the browser was closed: what was under way is no more, what was kept is. */
function forgetLiving(): void {
  const kept = { ...shelves };
  forgetUnsent();
  Object.assign(shelves, kept);
}
