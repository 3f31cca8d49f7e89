import { flushSync } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { forgetAnswers } from '../../lib/answer.svelte';
import { doneTodos, openGroups } from './groups';
import { dismiss, toasts } from '../../lib/toasts.svelte';
import { TodoList } from './list.svelte';
import { loadTodos, openTodos } from './load';
import type { Todo } from './types';

const said = vi.hoisted(() => vi.fn((key: string) => key));
vi.mock('../../lib/i18n.svelte', () => ({ t: said }));
const stream = vi.hoisted(() => ({ tell: (_since: number): void => undefined }));
vi.mock('../../lib/events.svelte', () => ({
  onChange: (_on: string[], tell: typeof stream.tell) => {
    stream.tell = tell;
    return () => undefined;
  },
  onValue: () => undefined,
  onGap: () => undefined,
  liveLine: () => 'open',
  lastHeard: () => 0,
}));

const LARGEST_PART = 500;
const PATIENCE = { timeout: 10_000, interval: 5 };

/** A todo without a time, a reminder or a repetition. */
const PLAIN = { time: null, remind_before: null, remind_at: null, reminded_at: null, reminded_for: null, repeat: null, repeat_day: null, followed_by: null, follows: null };

function todo(id: number, over: Partial<Todo> = {}): Todo {
  return { id, title: `${id}`, note: '', due: null, done: false, created_at: '2026-11-01T00:00:00Z', done_at: null, ...PLAIN, ...over };
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
    if (request.method === 'PUT') return answer(change(Number(url.pathname.split('/').at(-1)), await request.json() as Partial<Todo>));
    if (request.method === 'DELETE') return answer(clear(url.searchParams.get('until') ?? undefined));
    const limit = Math.min(LARGEST_PART, Number(url.searchParams.get('limit') ?? LARGEST_PART));
    const offset = Number(url.searchParams.get('offset') ?? 0);
    return answer({ todos: kept.slice(offset, offset + limit), total: kept.length });
  });
  return asked;

  function change(id: number, changes: Partial<Todo>): Todo | undefined {
    kept = kept.map((one) => (one.id === id ? { ...one, ...changes, done_at: changes.done ? '2026-11-02T00:00:00.000001Z' : null } : one));
    return kept.find((one) => one.id === id);
  }

  function clear(until = '9999-12-31T00:00:00Z') {
    const before = kept.length;
    kept = kept.filter(({ done_at }) => done_at === null || done_at.slice(0, -1) > until.slice(0, -1));
    return { ok: true, removed: before - kept.length };
  }
}

function answer(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
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

/** Presses "undo" of the one message. */
function takeBack(): void {
  toasts().forEach(({ action }) => action?.run());
}

afterEach(() => {
  toasts().forEach(({ id }) => dismiss(id));
  forgetAnswers();
  vi.unstubAllGlobals();
  said.mockClear();
});

test('every open todo is there, however many parts it takes', async () => {
  server([...open(1_234), ...done(3)]);
  await withList(async (list) => {
    expect(openGroups(list.todos, '2026-11-20').flatMap(({ todos }) => todos)).toHaveLength(1_234);
    expect([doneTodos(list.todos).length, list.rest]).toEqual([3, 0]);
  });
  expect(await openTodos()).toHaveLength(1_234);
});

test('one that is ticked off is open again by its message, and a failure names the one that it is about', async () => {
  server([...open(2)]);
  await withList(async (list) => {
    const [first, second] = list.todos as [Todo, Todo];
    await list.tick(first);
    expect(doneTodos(list.todos).map(({ id }) => id)).toEqual([first.id]);
    takeBack();
    await vi.waitUntil(() => doneTodos(list.todos).length === 0, PATIENCE);
    toasts().forEach(({ id }) => dismiss(id));
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('cut off')));
    await list.tick(second);
    expect(toasts().map(({ text, action }) => [text.startsWith(`${second.title}: `), action?.label])).toEqual([[true, 'shell.retry']]);
    toasts().forEach(({ id }) => dismiss(id));
  });
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
  const asked = server([...open(2), ...done(1_100)]);
  await withList(async (list) => {
    expect(list.rest).toBe(602);
    list.clear();
    expect([list.todos.length, list.rest]).toEqual([2, 0]);
    expect(said).toHaveBeenCalledWith('todos.cleared', { count: 1_100 });
    takeBack();
    expect([list.todos.length, list.rest]).toEqual([500, 602]);
  });
  expect(asked).toEqual(['GET /api/todos?limit=500&offset=0']);
});

test('clearing is one request, and what is ticked off meanwhile stays', async () => {
  const asked = server([...open(2), ...done(1_200)]);
  await withList(async (list) => {
    list.clear();
    await list.tick(todo(10_000));
    expect(doneTodos(list.todos).map(({ id }) => id)).toEqual([10_000]);
    toasts().forEach(({ id }) => dismiss(id));
    await vi.waitUntil(() => !list.clearing, PATIENCE);
    const afterwards = [list.todos.map(({ id }) => id), list.rest];
    await list.loaded.reload();
    expect([list.todos.map(({ id }) => id).sort((a, b) => b - a), list.rest]).toEqual(afterwards);
    expect(afterwards).toEqual([[10_000, 9_999], 0]);
  });
  expect(asked.filter((one) => one.startsWith('DELETE'))).toEqual(['DELETE /api/todos/done?until=2026-11-02T00%3A00%3A00Z']);
});

test('clearing waits for a tick that is not confirmed yet, and clears it as well', async () => {
  const asked = server([...open(2), ...done(3)]);
  await withList(async (list) => {
    const others = globalThis.fetch;
    let confirm!: () => void;
    const held = new Promise<void>((resolve) => (confirm = resolve));
    vi.stubGlobal('fetch', async (request: Request) => {
      if (request.method === 'PUT') await held;
      return others(request);
    });
    void list.tick(todo(10_000));
    const clearing = list.clear();
    expect([list.clearing, doneTodos(list.todos).length, toasts().length]).toEqual([true, 4, 0]);
    confirm();
    await clearing;
    expect(list.todos.map(({ id }) => id)).toEqual([9_999]);
    expect(said).toHaveBeenCalledWith('todos.cleared', { count: 4 });
    toasts().forEach(({ id }) => dismiss(id));
    await vi.waitUntil(() => !list.clearing, PATIENCE);
    await list.loaded.reload();
    expect(list.todos.map(({ id }) => id)).toEqual([9_999]);
  });
  expect(asked.filter((one) => one.startsWith('DELETE'))).toEqual(['DELETE /api/todos/done?until=2026-11-02T00%3A00%3A00.000001Z']);
});

test('a clearing that waited finds nothing when the one tick is refused', async () => {
  server(open(2));
  await withList(async (list) => {
    vi.stubGlobal('fetch', async () => new Response('{"error":"STORAGE_FULL","message":"full"}', { status: 507 }));
    void list.tick(todo(10_000));
    await list.clear();
    expect([list.clearing, list.todos.filter(({ done }) => done).length]).toEqual([false, 0]);
  });
  toasts().forEach(({ id }) => dismiss(id));
});

test('what could not be cleared is shown again', async () => {
  server([...open(1), ...done(700)]);
  await withList(async (list) => {
    list.clear();
    vi.stubGlobal('fetch', async () => new Response('{"code":"STORAGE_FULL","message":"full"}', { status: 507 }));
    toasts().forEach(({ id }) => dismiss(id));
    await vi.waitUntil(() => !list.clearing, PATIENCE);
    expect([list.todos.length, list.rest]).toEqual([500, 201]);
  });
  toasts().forEach(({ id }) => dismiss(id));
});

test('clearing again before it has ended does nothing, nor does clearing when nothing is done', async () => {
  const asked = server([...open(2), ...done(3)]);
  await withList(async (list) => {
    list.clear();
    await list.tick(todo(10_000));
    dismiss(toasts().at(-1)!.id);
    list.clear();
    expect(toasts()).toHaveLength(1);
    expect(doneTodos(list.todos)).toHaveLength(1);
    takeBack();
    expect([list.clearing, doneTodos(list.todos).length]).toEqual([false, 4]);
  });
  server(open(2));
  await withList(async (list) => {
    list.clear();
    expect([list.clearing, toasts().length]).toEqual([false, 0]);
  });
  expect(asked.filter((one) => one.startsWith('DELETE'))).toEqual([]);
});

test('what another one did meanwhile is not lost to an answer that comes late', async () => {
  server(open(2));
  await withList(async (list) => {
    const [first, second] = list.todos as [Todo, Todo];
    const others = globalThis.fetch;
    let answerIt!: () => void;
    const held = new Promise<void>((resolve) => (answerIt = resolve));
    vi.stubGlobal('fetch', async (request: Request) => {
      const answered = await others(request);
      if (request.method === 'PUT') await held;
      return answered;
    });
    const ticking = list.tick(first);
    await others(new Request('http://house/api/todos/' + second.id, { method: 'PUT', body: '{"title":"theirs"}' }));
    stream.tell(performance.now());
    answerIt();
    await ticking;
    await vi.waitUntil(() => !list.loaded.loading, PATIENCE);
    expect(list.todos.map(({ title, done }) => [title, done])).toEqual([[first.title, true], ['theirs', false]]);
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

test('a change that is refused is left to the form that asked for it, and shows nothing before it is done', async () => {
  server(open(2));
  await withList(async (list) => {
    const [first] = list.todos as [Todo];
    vi.stubGlobal('fetch', async () => new Response('{"error":"STORAGE_FULL","message":"full"}', { status: 507 }));
    await expect(list.save(first, { note: 'long' })).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect([list.todos[0]?.note, toasts().length]).toEqual(['', 0]);
  });
});
