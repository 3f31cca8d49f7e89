import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api';
import { Resource } from '../../lib/resource.svelte';
import type { Today } from '../../lib/schema';
import { dismiss, toasts } from '../../lib/toasts.svelte';
import { markOnDay, tick } from './finish';
import type { Todo } from './types';

vi.mock('../../lib/i18n.svelte', () => ({ t: (key: string) => key }));

afterEach(() => {
  toasts().forEach(({ id }) => dismiss(id));
  vi.unstubAllGlobals();
});

function todo(id: number): Todo {
  return { id, title: `${id}`, note: '', due: '2026-11-20', done: false, created_at: '2026-11-01T00:00:00Z', done_at: null, time: null, remind_before: null, remind_at: null, reminded_at: null, reminded_for: null, repeat: null, repeat_day: null, followed_by: null, follows: null };
}

test('a tick that is refused puts its own todo back, and no other', async () => {
  const answers = new Map<string, (answer: Response) => void>();
  vi.stubGlobal('fetch', (request: Request) => new Promise((resolve) => answers.set(new URL(request.url).pathname, resolve)));
  const due = [1, 2, 3].map(todo);
  const day = new Resource(async () => ({ todos: { due, due_count: 3, next: [4, 5].map(todo), open_count: 5, overdue_count: 0 } }) as unknown as Today);
  await day.reload();
  const left = () => [day.data?.todos.due.map(({ id }) => id), day.data?.todos.due_count, day.data?.todos.open_count];

  const ticks = [1, 2].map((id) => tick(todo(id), true, (done) => markOnDay(todo(id), done, day)));
  expect(left()).toEqual([[3], 1, 3]);
  await vi.waitUntil(() => answers.size === 2);
  answers.get('/api/todos/2')!(Response.json(todo(2)));
  await ticks[1];
  answers.get('/api/todos/1')!(Response.json({ error: 'STORAGE_FULL', message: 'full' }, { status: 507 }));
  await ticks[0];
  expect(left()).toEqual([[1, 3], 2, 4]);

  // What comes next goes with its part of the count: both are of one answer.
  void tick(todo(4), true, (done) => markOnDay(todo(4), done, day));
  expect([day.data?.todos.next.map(({ id }) => id), ...left()]).toEqual([[5], [1, 3], 2, 3]);
});

test('a tick that was not done is tried again by its message, and one that is refused for good is not', async () => {
  const cut = () => Promise.reject(new TypeError('cut off'));
  const tried: boolean[] = [];
  let answer: () => Promise<unknown> = cut;
  const put = (done: boolean) => {
    tried.push(done);
    return answer();
  };
  await tick(todo(1), true, put);
  const [failed] = toasts();
  expect([failed?.tone, failed?.action?.label, tried]).toEqual(['problem', 'shell.retry', [true]]);
  answer = () => Promise.resolve();
  dismiss(failed!.id);
  failed!.action!.run();
  await vi.waitUntil(() => toasts().length > 0);
  expect([toasts().map(({ text, action }) => [text, action?.label]), tried]).toEqual([[['todos.done_said', 'shell.undo']], [true, true]]);
  toasts().forEach(({ id }) => dismiss(id));

  answer = () => Promise.reject(new ApiError('NOT_FOUND', 404, ''));
  await tick(todo(2), true, put);
  expect(toasts().map(({ action }) => action)).toEqual([undefined]);
});
