import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

const server = {
  away: false, refuses: 0, keys: [] as (string | null)[],
  /** What it has made and not deleted, by key; and what an answer waits for. */
  made: new Map<string, number>(), deleted: [] as string[], hold: undefined as Promise<void> | undefined, holdDeleting: undefined as Promise<void> | undefined,
};
/** Whether the server is known to be away. */
const line = vi.hoisted(() => ({ lost: false }));
vi.mock('./events.svelte', async (actual) => ({ ...(await actual<object>()), isLost: () => line.lost }));
const shelf = new Map<string, string>();
const storage = { full: false, off: false };
/** What stands in storage, and throws where there is none. */
const read = (name: string) => (storage.off ? refuse() : (shelf.get(name) ?? null));
const write = (name: string, text: string) => (storage.off || storage.full ? refuse() : void shelf.set(name, text));
const refuse = (): never => {
  throw new DOMException('no', 'QuotaExceededError');
};

/** The page as it is when it is loaded anew. */
async function load() {
  vi.resetModules();
  return import('./outbox.svelte');
}

// The first loading compiles: what a test waits for begins after it.
beforeAll(load, 60_000);

beforeEach(() => {
  Object.assign(server, { away: false, refuses: 0, keys: [], made: new Map(), deleted: [], hold: undefined, holdDeleting: undefined });
  Object.assign(storage, { full: false, off: false });
  line.lost = false;
  shelf.clear();
  vi.stubGlobal('localStorage', { getItem: read, setItem: write });
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'DELETE') {
      if (server.away) throw new TypeError('Failed to fetch');
      server.deleted.push(new URL(request.url).pathname);
      await server.holdDeleting;
      return new Response('{}');
    }
    const key = request.headers.get('Idempotency-Key');
    server.keys.push(key);
    await server.hold;
    if (server.away) throw new TypeError('Failed to fetch');
    const answer = server.refuses > 0 ? Response.json({ error: 'INVALID_INPUT', message: 'no', retry_after: server.refuses === 507 ? 10 : null }, { status: server.refuses }) : Response.json({ id: idOf(key ?? '') }, { status: 201 });
    Object.defineProperty(answer, 'url', { value: request.url });
    return answer;
  });
});

afterEach(() => vi.unstubAllGlobals());

/** The same key is the same thing. */
function idOf(key: string): number {
  const id = server.made.get(key) ?? 7 + server.made.size;
  server.made.set(key, id);
  return id;
}

/** Holds the server's answers until what is returned is called. */
function holdAnswers(): () => void {
  let go = () => {};
  server.hold = new Promise((resolve) => (go = resolve));
  return () => {
    server.hold = undefined;
    go();
  };
}

const titles = (additions: { body: unknown }[]) => additions.map(({ body }) => (body as { title: string }).title);

test('what is saved is told and not kept', async () => {
  const { enqueue, entriesFor, onSaved } = await load();
  const saved: unknown[] = [];
  onSaved('/api/todos', (answer) => saved.push(answer));
  await enqueue('/api/todos', { title: '우유' }, '우유');
  expect([saved, entriesFor('/api/todos')]).toEqual([[{ id: 7 }], []]);
});

test('what was not answered is there after the page was loaded anew, and goes out again under its first key', async () => {
  server.away = true;
  const before = await load();
  await before.enqueue('/api/todos', { title: '우유' }, '우유');
  await before.enqueue('/api/todos', { title: '달걀' }, '달걀');
  const { entriesFor, flush } = await load();
  expect(titles(entriesFor('/api/todos'))).toEqual(['우유', '달걀']);
  server.away = false;
  await flush();
  expect(entriesFor('/api/todos')).toEqual([]);
  expect(server.keys.slice(2)).toEqual(server.keys.slice(0, 2));
});

test('what is sent to a server that is known to be away waits at once, and what may still arrive does not', async () => {
  const { enqueue, entriesFor, isSending, isWaiting } = await load();
  const answer = holdAnswers();
  const adding = enqueue('/api/todos', { title: '우유' }, '우유');
  const [addition] = entriesFor('/api/todos');
  expect([isSending(addition!), isWaiting(addition!)]).toEqual([true, false]);
  line.lost = true;
  expect([isSending(addition!), isWaiting(addition!)]).toEqual([true, true]);
  line.lost = false;
  answer();
  await adding;
  expect(entriesFor('/api/todos')).toEqual([]);
});

test('what is wrong is given back to who typed it, and anything else is kept with the reason', async () => {
  const { enqueue, entriesFor, problemOf } = await load();
  server.refuses = 422;
  await expect(enqueue('/api/todos', { title: '' }, '')).rejects.toMatchObject({ status: 422 });
  server.refuses = 507;
  await enqueue('/api/todos', { title: '우유' }, '우유');
  const [addition] = entriesFor('/api/todos');
  expect([titles(entriesFor('/api/todos')), problemOf(addition!)?.status]).toEqual([['우유'], 507]);
});

test('after a day it goes out only when somebody says so, as the server does not know its key any more', async () => {
  server.away = true;
  const { enqueue, entriesFor, retry, flush } = await load();
  await enqueue('/api/todos', { title: '우유' }, '우유');
  server.away = false;
  vi.setSystemTime(Date.now() + 24 * 3_600_000);
  await flush();
  expect([titles(entriesFor('/api/todos')), server.keys.length]).toEqual([['우유'], 1]);
  await retry(entriesFor('/api/todos')[0]!);
  expect([entriesFor('/api/todos'), server.keys.length, server.keys[0] === server.keys[1]]).toEqual([[], 2, false]);
  vi.useRealTimers();
});

test('what is given up can be brought back to its place', async () => {
  server.away = true;
  const { enqueue, entriesFor, discard, restore } = await load();
  for (const title of ['우유', '달걀']) await enqueue('/api/todos', { title }, title);
  const [first] = entriesFor('/api/todos');
  discard(first!);
  expect(titles(entriesFor('/api/todos'))).toEqual(['달걀']);
  await restore(first!);
  expect(titles(entriesFor('/api/todos'))).toEqual(['우유', '달걀']);
});

test('what was added in the same instant keeps its order', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  server.away = true;
  const { enqueue, entriesFor, discard, restore } = await load();
  for (const title of ['우유', '달걀', '두부']) await enqueue('/api/todos', { title }, title);
  const [first] = entriesFor('/api/todos');
  discard(first!);
  await restore(first!);
  expect(titles(entriesFor('/api/todos'))).toEqual(['우유', '달걀', '두부']);
  vi.useRealTimers();
});

test('what is given up on its way is deleted once the server has made it, and nobody is told that it was saved', async () => {
  const { enqueue, entriesFor, discard, onSaved } = await load();
  const saved: unknown[] = [];
  onSaved('/api/todos', (answer) => saved.push(answer));
  const answer = holdAnswers();
  const adding = enqueue('/api/todos', { title: '우유' }, '우유');
  discard(entriesFor('/api/todos')[0]!);
  expect(entriesFor('/api/todos')).toEqual([]);
  answer();
  await adding;
  expect([saved, server.deleted, server.keys.length, JSON.parse(shelf.get('hanok.additions')!)]).toEqual([[], ['/api/todos/7'], 1, []]);
});

test('what is brought back on its way is saved once, and what was deleted by then is made anew at once', async () => {
  const { enqueue, entriesFor, restore, discard, onSaved } = await load();
  const saved: unknown[] = [];
  onSaved('/api/todos', (answer) => saved.push(answer));
  const answer = holdAnswers();
  const adding = enqueue('/api/todos', { title: '우유' }, '우유');
  const [addition] = entriesFor('/api/todos');
  discard(addition!);
  const back = restore(addition!);
  expect(titles(entriesFor('/api/todos'))).toEqual(['우유']);
  answer();
  await Promise.all([adding, back]);
  expect([saved, server.deleted, entriesFor('/api/todos')]).toEqual([[{ id: 7 }], [], []]);

  const answerNext = holdAnswers();
  const addingNext = enqueue('/api/todos', { title: '달걀' }, '달걀');
  const [next] = entriesFor('/api/todos');
  discard(next!);
  answerNext();
  await addingNext;
  await restore(next!);
  expect([saved, server.deleted, entriesFor('/api/todos')]).toEqual([[{ id: 7 }, { id: 9 }], ['/api/todos/8'], []]);
});

test('what is brought back while the server deletes it is made anew, and is not lost with what is deleted', async () => {
  const { enqueue, entriesFor, restore, discard, onSaved } = await load();
  const saved: unknown[] = [];
  onSaved('/api/todos', (answer) => saved.push(answer));
  let deleted = () => {};
  server.holdDeleting = new Promise((resolve) => (deleted = resolve));
  const answer = holdAnswers();
  const adding = enqueue('/api/todos', { title: '우유' }, '우유');
  const [addition] = entriesFor('/api/todos');
  discard(addition!);
  answer();
  await vi.waitFor(() => expect(server.deleted).toEqual(['/api/todos/7']));
  const back = restore(addition!);
  deleted();
  await Promise.all([adding, back]);
  expect([saved, entriesFor('/api/todos'), server.keys[0] === server.keys[1]]).toEqual([[{ id: 8 }], [], false]);
});

test('what is saved at last has no reason any more why it could not be', async () => {
  server.away = true;
  const { enqueue, entriesFor, problemOf, flush } = await load();
  await enqueue('/api/todos', { title: '우유' }, '우유');
  const [addition] = entriesFor('/api/todos');
  expect(problemOf(addition!)?.status).toBe(0);
  server.away = false;
  await flush();
  expect([entriesFor('/api/todos'), problemOf(addition!)]).toEqual([[], undefined]);
});

test('what was given up before anybody knew whether the server has it is deleted there when it is back, also by a page that was loaded anew', async () => {
  server.away = true;
  const before = await load();
  await before.enqueue('/api/todos', { title: '우유' }, '우유');
  before.discard(before.entriesFor('/api/todos')[0]!);
  const { entriesFor, flush } = await load();
  expect(entriesFor('/api/todos')).toEqual([]);
  server.away = false;
  await flush();
  expect([server.keys[0] === server.keys[1], server.deleted]).toEqual([true, ['/api/todos/7']]);
});

test('what the server found wrong is given up without asking it again', async () => {
  server.away = true;
  const { enqueue, entriesFor, discard, flush } = await load();
  await enqueue('/api/todos', { title: '우유' }, '우유');
  Object.assign(server, { away: false, refuses: 422 });
  await flush();
  discard(entriesFor('/api/todos')[0]!);
  await flush();
  expect([server.keys.length, server.deleted]).toEqual([2, []]);
});

test('what the server had no room for goes out by itself after as long as it said', async () => {
  vi.useFakeTimers();
  server.refuses = 507;
  const { enqueue, entriesFor } = await load();
  await enqueue('/api/todos', { title: '우유' }, '우유');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.keys.length).toBe(2);
  server.refuses = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([entriesFor('/api/todos'), new Set(server.keys).size]).toEqual([[], 1]);
  vi.useRealTimers();
});

test('what is nowhere but here is named, also when it does not go out by itself any more', async () => {
  server.away = true;
  const { enqueue, entriesFor, discard, unsaved } = await load();
  for (const title of ['우유', '달걀']) await enqueue('/api/todos', { title }, title);
  discard(entriesFor('/api/todos')[1]!);
  vi.setSystemTime(Date.now() + 24 * 3_600_000);
  expect(unsaved().map(({ name }) => name)).toEqual(['우유']);
  vi.useRealTimers();
});

test.each([['is full', { full: true }], ['is switched off', { off: true }]])('where storage %s, all that waits is kept until the page is closed', async (_, state) => {
  const before = await load();
  server.away = true;
  await before.enqueue('/api/todos', { title: '먼저' }, '먼저');
  Object.assign(storage, state);
  const { enqueue, entriesFor, flush, discard } = before;
  for (const title of ['우유', '달걀', '두부']) await enqueue('/api/todos', { title }, title);
  expect(titles(entriesFor('/api/todos'))).toEqual(['먼저', '우유', '달걀', '두부']);
  discard(entriesFor('/api/todos')[2]!);
  expect(titles(entriesFor('/api/todos'))).toEqual(['먼저', '우유', '두부']);
  server.away = false;
  await flush();
  // The one that was given up might be there from the first time.
  expect([entriesFor('/api/todos'), server.keys.length, server.deleted.length]).toEqual([[], 4 + 4, 1]);
});

test('what a full storage did not take is stored as soon as it takes something, beside what another tab has stored', async () => {
  server.away = true;
  const { enqueue, entriesFor } = await load();
  storage.full = true;
  await enqueue('/api/todos', { title: '우유' }, '우유');
  storage.full = false;
  const other = await load();
  await other.enqueue('/api/todos', { title: '달걀' }, '달걀');
  await enqueue('/api/todos', { title: '두부' }, '두부');
  expect(titles(entriesFor('/api/todos'))).toEqual(['달걀', '우유', '두부']);
  expect(titles((await load()).entriesFor('/api/todos'))).toEqual(['달걀', '우유', '두부']);
});
