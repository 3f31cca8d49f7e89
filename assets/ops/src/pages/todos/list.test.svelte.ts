import { flushSync } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { doneTodos, nextTodos, openGroups } from './groups';
import { TodoList } from './list.svelte';
import { loadTodos, openTodos } from './load';
import type { Todo } from './types';

const LARGEST_PART = 500;
const PATIENCE = { timeout: 10_000, interval: 5 };

function todo(id: number, over: Partial<Todo> = {}): Todo {
  return { id, title: `${id}`, note: '', due: null, done: false, created_at: '2026-11-01T00:00:00Z', done_at: null, ...over };
}

const open = (count: number, over: Partial<Todo> = {}) => Array.from({ length: count }, (_, index) => todo(10_000 - index, over));
const done = (count: number) => Array.from({ length: count }, (_, index) => todo(5_000 - index, { done: true, done_at: '2026-11-02T00:00:00Z' }));

/** A server that holds these todos in its order; gives what it was asked for. */
function server(todos: Todo[]): string[] {
  const asked: string[] = [];
  let kept = todos;
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url);
    asked.push(`${request.method} ${url.pathname}${url.search}`);
    if (request.method === 'DELETE') kept = kept.filter((one) => !one.done);
    const limit = Math.min(LARGEST_PART, Number(url.searchParams.get('limit') ?? LARGEST_PART));
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const body = request.method === 'DELETE' ? { ok: true, removed: 0 } : { todos: kept.slice(offset, offset + limit), total: kept.length };
    return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
  });
  return asked;
}

/** The list as a page has it, for as long as `work` goes on. */
async function withList(work: (list: TodoList) => Promise<void>): Promise<void> {
  let list!: TodoList;
  const end = $effect.root(() => {
    list = new TodoList();
  });
  flushSync();
  await vi.waitUntil(() => list.loaded.data && !list.loaded.loading, PATIENCE);
  await work(list);
  end();
}

afterEach(() => vi.unstubAllGlobals());

test('every open todo is there, however many parts it takes', async () => {
  server([...open(1_234), ...done(3)]);
  await withList(async (list) => {
    expect(openGroups(list.todos, '2026-11-20').flatMap(({ todos }) => todos)).toHaveLength(1_234);
    expect([doneTodos(list.todos).length, list.rest]).toEqual([3, 0]);
  });
  expect(await openTodos()).toHaveLength(1_234);
});

test('open todos that fill a part to its end are not taken for all of them', async () => {
  server([...open(1_000), ...done(1)]);
  expect((await loadTodos((todos) => todos.at(-1)?.done === true)).todos).toHaveLength(1_001);
});

test('done ones are counted at once and loaded on', async () => {
  const asked = server([...open(20), ...done(1_300)]);
  await withList(async (list) => {
    expect([doneTodos(list.todos).length, list.rest]).toEqual([480, 820]);
    list.loadOn();
    flushSync();
    await vi.waitUntil(() => !list.loaded.loading, PATIENCE);
    expect([doneTodos(list.todos).length, list.rest]).toEqual([980, 320]);
    list.loadOn();
    flushSync();
    await vi.waitUntil(() => !list.loaded.loading, PATIENCE);
    expect([doneTodos(list.todos).length, list.rest]).toEqual([1_300, 0]);
  });
  expect(asked.at(-1)).toBe('GET /api/todos?limit=500&offset=1000');
});

test('clearing hides all that is done, also what was not loaded, and says how many', async () => {
  server([...open(2), ...done(1_100)]);
  await withList(async (list) => {
    expect(list.rest).toBe(602);
    await list.clear();
    expect([list.todos.length, list.rest]).toEqual([2, 0]);
  });
});

test('a todo that two parts name is shown once', async () => {
  const todos = open(700);
  vi.stubGlobal('fetch', async (request: Request) => {
    // One was added between the parts: everything has moved on by one.
    const offset = Number(new URL(request.url).searchParams.get('offset'));
    const part = todos.slice(Math.max(0, offset - 1), offset + LARGEST_PART - 1 + (offset === 0 ? 1 : 0));
    return new Response(JSON.stringify({ todos: part, total: 701 }), { headers: { 'Content-Type': 'application/json' } });
  });
  const ids = (await openTodos()).map(({ id }) => id);
  expect(ids).toHaveLength(700);
  expect(new Set(ids).size).toBe(700);
});

test('what comes next is found behind more overdue ones than one part holds', async () => {
  const later = [todo(1, { due: '2026-12-01' }), todo(2, { due: '2026-12-02' })];
  server([...open(800, { due: '2026-11-01' }), ...later, ...done(1)]);
  const { todos } = await loadTodos((loaded) => nextTodos(loaded, '2026-11-20', 2).length === 2);
  expect(nextTodos(todos, '2026-11-20', 4).map(({ id }) => id)).toEqual([1, 2]);
});
