/** Whatever becomes of the page, the tab and the server: what was written is on the server, or still in this browser. */

import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api';
import { loadMessages } from '../../lib/i18n.svelte';
import { dismiss, toasts } from '../../lib/toasts.svelte';
import { forgetUnsent } from '../../lib/unsent';
import { blank } from './fields';
import { keepingHere, keptHere, type Keeping } from './keeping';
import type { Fields, Post } from './types';
import { sendAndTell, sendKept, undecided } from './send-kept';
import { isAnyWaiting } from './waiting.svelte';
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

beforeAll(() => loadMessages('shell'));
beforeEach(() => {
  vi.useFakeTimers();
  shelves = new Shelves();
  vi.stubGlobal('localStorage', shelves);
  vi.stubGlobal('sessionStorage', new Shelves());
  refused = undefined;
  sent = [];
  take(1, 1, { ...blank(0), title: 'Soup', body: 'Water' });
});
afterEach(() => {
  forgetUnsent();
  toasts().forEach(({ id }) => dismiss(id));
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
  expect(keptHere(0)).toMatchObject([{ id: 1, title: 'Soup' }]);
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

test('what pages that are gone could not send goes out from any other page, each new post as one of its own', async () => {
  refused = offline();
  type(tab(), { body: 'Onions' });
  for (const title of ['Bread', 'Salad']) type(new Writing(server, { ...keepingHere(), read: () => undefined }, undefined), { title });
  forgetLiving();
  await sendKept(10_000, server);
  refused = undefined;
  await sendKept(10_000, server);
  expect([post?.body, sent]).toEqual(['Water', []]);
  await pause(10_000);
  await sendKept(10_000, server);
  expect(sent).toMatchObject([{ body: 'Onions' }, { title: 'Bread' }, { title: 'Salad' }]);
  expect([keptHere(0), shelves.length]).toEqual([[], 0]);
});

test('what others have written over meanwhile waits, as it was kept, for whoever opens the post', async () => {
  refused = offline();
  type(tab(), { body: 'Onions' });
  forgetLiving();
  await pause(10_000);
  refused = undefined;
  elsewhere('Leeks');
  const before = { ...shelves };
  await sendKept(0, server);
  expect([sent, { ...shelves }]).toEqual([[], before]);
  const writing = await Writing.begin(server, keepingHere, 1);
  expect([writing.standing, writing.fields.body, writing.theirs?.body]).toEqual(['changed_elsewhere', 'Onions', 'Leeks']);
});

test('what others have written elsewhere in the post goes out together with what was kept of it', async () => {
  refused = offline();
  type(tab(), { body: 'Onions' });
  forgetLiving();
  refused = undefined;
  take(1, 2, { ...post!, title: 'Soup for cold days' });
  await sendKept(0, server);
  expect([sent, post, shelves.length]).toMatchObject([[{ body: 'Onions' }], { version: 3, title: 'Soup for cold days', body: 'Onions' }, 0]);
});

test('of a post that was deleted meanwhile nothing goes out, and what else is kept does', async () => {
  refused = offline();
  type(new Writing(server, { ...keepingHere(), read: () => undefined }, undefined), { title: 'Bread' });
  await pause(1_000);
  type(tab(), { body: 'Onions' });
  forgetLiving();
  [refused, post] = [undefined, undefined];
  await sendKept(0, server);
  expect(sent).toMatchObject([{ title: 'Bread' }]);
  expect(keptHere(0)).toMatchObject([{ id: 1, fields: { body: 'Onions' } }]);
});

test('what another tab is writing just now is left to it, also beside what a page that is gone has kept', async () => {
  refused = offline();
  type(new Writing(server, { ...keepingHere(), read: () => undefined }, undefined), { title: 'Bread' });
  type(tab(), { body: 'Onions' });
  forgetLiving();
  await pause(10_000);
  keepingHere().write(undefined, { fields: { ...blank(0), title: 'Salad' } });
  keepingHere().write(1, { fields: { ...blank(0), title: 'Soup', body: 'Leeks' }, base: post! });
  refused = undefined;
  await sendKept(10_000, server);
  expect(sent).toMatchObject([{ title: 'Bread' }, { body: 'Onions' }]);
  expect(keptHere(0)).toMatchObject([{ title: 'Salad' }, { title: 'Soup', fields: { body: 'Leeks' } }]);
});

test('what waits for a choice is known: what others wrote over or deleted, and nothing else, nor while the server is away', async () => {
  refused = offline();
  type(tab(), { body: 'Onions' });
  type(new Writing(server, { ...keepingHere(), read: () => undefined }, undefined), { title: 'Bread' });
  forgetLiving();
  const waiting = async () => {
    const names = await undecided(keptHere(0), server);
    return keptHere(0).flatMap(({ name, title }) => (names.has(name) ? [title] : []));
  };
  expect(await waiting()).toEqual([]);
  refused = undefined;
  expect(await waiting()).toEqual([]);
  take(1, 2, { ...post!, title: 'Soup for cold days' });
  expect(await waiting()).toEqual([]);
  elsewhere('Leeks');
  expect(await waiting()).toEqual(['Soup']);
  post = undefined;
  expect(await waiting()).toEqual(['Soup']);
});

test('what waits for a choice is told once on whatever page, with the title that leads there, and marks the blog until it is chosen', async () => {
  const opened: string[] = [];
  const told = () => toasts().map(({ text, times }) => [text, times]);
  const look = () => sendAndTell(0, (address) => opened.push(address), server);
  refused = offline();
  type(tab(), { body: 'Onions' });
  forgetLiving();
  await look();
  refused = undefined;
  expect([told(), isAnyWaiting()]).toEqual([[], false]);
  elsewhere('Leeks');
  for (const _ of ['first', 'again', 'and again']) await look();
  expect(told()).toEqual([['Soup: 다른 곳에서 변경되어 저장하지 못했습니다. 작성한 내용은 이 기기에 남아 있습니다.', 1]]);
  toasts()[0]?.action?.run();
  expect([opened, isAnyWaiting()]).toEqual([['/blog/write?post=1'], true]);
  toasts().forEach(({ id }) => dismiss(id));
  // What the server does not tell about for a moment is no news afterwards.
  refused = offline();
  await look();
  refused = undefined;
  await look();
  expect([told(), isAnyWaiting()]).toEqual([[], true]);
  const writing = await Writing.begin(server, keepingHere, 1);
  await writing.decide(true);
  expect([post?.body, isAnyWaiting()]).toEqual(['Onions', false]);
});

test('several that wait are one message, which leads to the list', async () => {
  for (const id of [1, 2]) keepingHere().write(id, { fields: { ...post!, body: 'Onions' }, base: { ...post!, id } });
  elsewhere('Leeks');
  const opened: string[] = [];
  await sendAndTell(0, (address) => opened.push(address), server);
  expect(toasts().map(({ text }) => text)).toEqual(['다른 곳에서 변경되어 글 2개를 저장하지 못했습니다. 작성한 내용은 이 기기에 남아 있습니다.']);
  toasts()[0]?.action?.run();
  expect(opened).toEqual(['/blog']);
});

test('a post that its own page shows is told there alone', async () => {
  refused = offline();
  const writing = tab();
  type(writing, { body: 'Onions' });
  refused = undefined;
  elsewhere('Leeks');
  await sendAndTell(0, () => undefined, server);
  expect([toasts(), isAnyWaiting()]).toEqual([[], true]);
  writing.drop();
});

test('what its tab goes on with while the server is asked is left to it', async () => {
  refused = offline();
  const other = keepingHere();
  other.write(1, { fields: { ...post!, body: 'Onions' }, base: post! });
  await pause(10_000);
  refused = undefined;
  const find = async (id: number) => {
    await pause(1);
    other.write(1, { fields: { ...post!, body: 'Onions and leeks' }, base: post! });
    return server.find(id);
  };
  await sendKept(10_000, { ...server, find });
  expect([sent, keptHere(0)]).toMatchObject([[], [{ fields: { body: 'Onions and leeks' } }]]);
});

test('a post that somebody writes on this page is sent by it alone', async () => {
  const writing = tab();
  refused = offline();
  type(writing, { body: 'Onions' });
  await pause(10_000);
  refused = undefined;
  await sendKept(0, server);
  expect(sent).toEqual([]);
  await pause(5_000);
  expect([sent.length, writing.standing]).toEqual([1, 'saved']);
});

/** As when the browser was closed: what was under way is no more, what was kept is. */
function forgetLiving(): void {
  const kept = { ...shelves };
  forgetUnsent();
  Object.assign(shelves, kept);
}
