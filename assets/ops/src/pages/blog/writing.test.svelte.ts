import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api';
import { blank, fieldsOf, merged, tagsOf } from './fields';
import type { Keeping, Kept } from './keeping';
import type { Fields, Post } from './types';
import { Writing, type Server } from './writing.svelte';

const NOW = '2026-10-10T12:30:00Z';

/** A server with one shelf of posts, of which `away` makes it answer nothing. */
class Shelf implements Server {
  posts = new Map<number, Post>();
  keys = new Map<string, number>();
  /** What gave way to somebody else. */
  kept: Post[] = [];
  away = false;
  /** It does what it is asked, and the answer is lost. */
  losesAnswers = false;
  asked = 0;

  private answer(post: Post): Post {
    this.posts.set(post.id, post);
    if (this.losesAnswers) throw new ApiError('UNANSWERED', 0, '');
    return post;
  }

  private reach() {
    this.asked += 1;
    if (this.away) throw new ApiError('OFFLINE', 0, '');
  }

  add = async (fields: Fields, key: string) => {
    this.reach();
    const known = this.keys.get(key);
    if (known) return this.posts.get(known) as Post;
    const id = this.posts.size + 1;
    this.keys.set(key, id);
    return this.answer({ ...fields, id, version: 1, excerpt_given: fields.excerpt !== '', words: 0, minutes: 0, created_at: NOW, updated_at: NOW });
  };

  change = async (id: number, { version, overwrite, ...changes }: Partial<Fields> & { version: number; overwrite?: true }) => {
    this.reach();
    const before = this.posts.get(id);
    if (!before) throw new ApiError('NOT_FOUND', 404, '');
    const next = { ...before, ...changes };
    if (JSON.stringify(next) === JSON.stringify(before)) return before;
    if (version !== before.version) throw new ApiError('NEWER_VERSION', 409, '');
    if (overwrite) this.kept.push(before);
    return this.answer({ ...next, version: before.version + 1 });
  };

  find = async (id: number) => {
    this.reach();
    const found = this.posts.get(id);
    if (!found) throw new ApiError('NOT_FOUND', 404, '');
    return found;
  };

  restore = async (id: number) => this.answer({ ...blank(0), id, version: 9, excerpt_given: false, words: 0, minutes: 0, created_at: NOW, updated_at: NOW });
}

function keeping(): Keeping & { all: Map<string, Kept> } {
  const all = new Map<string, Kept>();
  return {
    all,
    read: (id) => structuredClone(all.get(String(id))),
    write: (id, kept) => void all.set(String(id), structuredClone(kept)),
    forget: (id) => void all.delete(String(id)),
  };
}

let shelf: Shelf;
let kept: ReturnType<typeof keeping>;
const opened: Writing[] = [];

function write(post?: Post, keeps = kept): Writing {
  const writing = new Writing(shelf, keeps, post);
  opened.push(writing);
  return writing;
}

function type(writing: Writing, fields: Partial<Fields>): void {
  Object.assign(writing.fields, fields);
  writing.written();
  flushSync();
}

/** A post on the shelf, as two have opened it. */
async function twice(fields: Partial<Fields> = {}): Promise<[Writing, Writing]> {
  const post = await shelf.add({ ...blank(0), title: 'Soup', ...fields }, 'first');
  return [write(post, keeping()), write(post, keeping())];
}

beforeEach(() => {
  vi.useFakeTimers();
  shelf = new Shelf();
  kept = keeping();
});
afterEach(() => {
  opened.splice(0).forEach((writing) => writing.end());
  vi.useRealTimers();
});

const pause = () => vi.advanceTimersByTimeAsync(1_000);

test('what is typed is kept at once, sent after a pause, and then kept no more', async () => {
  const writing = write();
  expect(writing.standing).toBe('empty');
  type(writing, { title: 'S' });
  type(writing, { title: 'Soup', body: 'Onions' });
  expect([writing.standing, shelf.asked, kept.all.get('undefined')?.fields.body]).toEqual(['unsaved', 0, 'Onions']);
  await pause();
  expect([writing.standing, shelf.asked, writing.post?.id, kept.all.size]).toEqual(['saved', 1, 1, 0]);
  type(writing, { body: 'Onions, butter' });
  await pause();
  expect([shelf.posts.get(1)?.body, shelf.posts.get(1)?.version, shelf.posts.size]).toEqual(['Onions, butter', 2, 1]);
});

test('while the server is away everything stays here, and goes out once it answers', async () => {
  const writing = write();
  shelf.away = true;
  type(writing, { title: 'Soup' });
  await pause();
  type(writing, { body: 'Onions' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect([writing.standing, kept.all.get('undefined')?.fields]).toMatchObject(['away', { title: 'Soup', body: 'Onions' }]);
  shelf.away = false;
  await writing.look();
  await pause();
  expect([writing.standing, [...shelf.posts.values()].map(({ title, body }) => [title, body]), kept.all.size]).toEqual(['saved', [['Soup', 'Onions']], 0]);
});

test('a page that is loaded anew goes on with what was kept, and a new post that was sent before stays one', async () => {
  const writing = write();
  shelf.losesAnswers = true;
  type(writing, { title: 'Soup' });
  await pause();
  type(writing, { body: 'Onions' });
  writing.end();
  shelf.losesAnswers = false;
  const again = write();
  expect(again.fields).toMatchObject({ title: 'Soup', body: 'Onions' });
  await pause();
  await pause();
  expect([...shelf.posts.values()].map(({ title, body }) => [title, body])).toEqual([['Soup', 'Onions']]);
});

test('a change whose answer was lost is not taken for that of somebody else', async () => {
  const [writing] = await twice();
  shelf.losesAnswers = true;
  type(writing, { body: 'Onions' });
  await pause();
  expect([writing.standing, shelf.posts.get(1)?.version]).toEqual(['away', 2]);
  type(writing, { body: 'Onions, butter' });
  shelf.losesAnswers = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([writing.standing, shelf.posts.get(1)?.body, shelf.posts.get(1)?.version]).toEqual(['saved', 'Onions, butter', 3]);
});

test('what two write in different fields comes together, and nobody is asked', async () => {
  const [mine, theirs] = await twice();
  type(theirs, { tags: ['winter'] });
  await pause();
  type(mine, { body: 'Onions' });
  await pause();
  await pause();
  expect(shelf.posts.get(1)).toMatchObject({ tags: ['winter'], body: 'Onions' });
  expect([mine.standing, mine.fields.tags]).toEqual(['saved', ['winter']]);
});

test.each([[true, 'Onions'], [false, 'Leeks']])('the later writer of a field is told and decides (mine: %s)', async (isMine, body) => {
  const [mine, theirs] = await twice({ body: 'Water' });
  type(theirs, { body: 'Leeks' });
  await pause();
  type(mine, { body: 'Onions' });
  await pause();
  expect([mine.standing, mine.theirs?.body, shelf.posts.get(1)?.body, mine.fields.body]).toEqual(['changed_elsewhere', 'Leeks', 'Leeks', 'Onions']);
  type(mine, { title: 'Onion soup' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shelf.posts.get(1)?.body).toBe('Leeks');
  await mine.decide(isMine);
  expect([shelf.posts.get(1)?.body, mine.fields.body, mine.theirs]).toEqual([body, body, undefined]);
  expect(shelf.kept.map((post) => post.body)).toEqual(isMine ? ['Leeks'] : []);
  type(mine, { body: 'Water again' });
  await pause();
  expect(shelf.kept).toHaveLength(isMine ? 1 : 0);
});

test('who leaves the page before the pause is over has sent what was typed', async () => {
  const [writing] = await twice();
  type(writing, { body: 'Onions' });
  writing.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(shelf.posts.get(1)?.body).toBe('Onions');
});

test('what somebody else writes is shown to whoever has typed nothing', async () => {
  const [mine, theirs] = await twice();
  type(theirs, { body: 'Leeks' });
  await pause();
  await mine.look();
  expect([mine.fields.body, mine.standing, mine.post?.version]).toEqual(['Leeks', 'saved', 2]);
});

test('what the server refuses stays here with the reason, and a correction goes out', async () => {
  const [writing] = await twice();
  const change = shelf.change;
  shelf.change = async () => {
    throw new ApiError('INVALID_INPUT', 422, '', { title: 'must not be empty' });
  };
  type(writing, { title: '' });
  await pause();
  expect([writing.standing, writing.problem?.code]).toEqual(['refused', 'INVALID_INPUT']);
  shelf.change = change;
  type(writing, { title: 'Broth' });
  await pause();
  expect([writing.standing, writing.problem, shelf.posts.get(1)?.title]).toEqual(['saved', undefined, 'Broth']);
});

test('a post that is deleted elsewhere is said to be, and comes back with what was written', async () => {
  const [writing] = await twice();
  shelf.posts.delete(1);
  type(writing, { body: 'Onions' });
  await pause();
  expect(writing.standing).toBe('gone');
  await writing.bringBack();
  expect([writing.standing, shelf.posts.get(1)?.body]).toEqual(['saved', 'Onions']);
});

test('two that have changed a field alike agree, and an excerpt that was not given is none', () => {
  const base = { ...blank(0), title: 'Soup' };
  expect(merged(base, { ...base, title: 'Broth' }, { ...base, title: 'Broth', body: 'Water' })).toEqual({ ...base, title: 'Broth', body: 'Water' });
  expect(merged(base, { ...base, title: 'Broth' }, { ...base, title: 'Stew' })).toBeUndefined();
  const post = { ...base, id: 1, version: 1, excerpt: 'Water …', excerpt_given: false, words: 1, minutes: 1, created_at: NOW, updated_at: NOW };
  expect(fieldsOf(post).excerpt).toBe('');
});

test('tags are set apart by commas and hashes, each once', () => {
  expect(tagsOf(' winter, #soup， 겨울 ,Winter,, ')).toEqual(['winter', 'soup', '겨울']);
});
