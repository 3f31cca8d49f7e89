import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetAnswers } from '../../lib/answer.svelte';
import search from './search.svelte';

vi.mock('../../lib/i18n.svelte', () => ({ t: (key: string, values: object = {}) => [key, ...Object.values(values)].join(' '), currentLanguage: () => 'ko' }));
vi.mock('../../lib/events.svelte', () => ({ onChange: () => () => undefined, onGap: () => undefined, onValue: () => undefined, lastHeard: () => 0, liveLine: () => 'open' }));

const PLAIN = { note: '', due: null, created_at: '2026-11-01T00:00:00Z' };
const TODOS = [
  ...Array.from({ length: 51 }, (_, index) => ({ ...PLAIN, id: index + 10, title: `약 ${index}`, done: false, done_at: null })),
  { ...PLAIN, id: 1, title: '약 사기 끝난 것', done: true, done_at: '2026-11-02T00:00:00Z' },
];

/** What the list of open ones holds. */
let open = TODOS;

beforeEach(() => {
  open = TODOS;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    const done = searchParams.get('done');
    const limit = Number(searchParams.get('limit'));
    const fitting = TODOS.filter((todo) => done === null || String(todo.done) === done);
    if (pathname === '/api/todos') return Response.json({ todos: open, total: open.length });
    const results = fitting.slice(0, limit).map(({ id, title, done }) => ({ kind: 'todo', id, title, marked: [{ text: title, found: true }], excerpt: [], leads_to: `/todos?todo=${id}`, done, number: null }));
    return Response.json({ results, total: fitting.length, complete: true });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  forgetAnswers();
});

test('a done todo is found beside more open ones than one answer holds, once, and marked as done', async () => {
  let begun!: ReturnType<typeof search.begin>;
  const end = $effect.root(() => {
    begun = search.begin(() => '약');
  });
  flushSync();
  const marked = () => begun.found.filter(({ icon }) => icon === 'check').map(({ name }) => name);
  await vi.waitFor(() => expect(marked()).toEqual(['약 사기 끝난 것']), { timeout: 2_000, interval: 5 });
  await vi.waitFor(() => expect(begun.found.map(({ id }) => id)).toContain('more'), { timeout: 2_000, interval: 5 });
  expect(begun.found.filter(({ name }) => name === '약 사기 끝난 것')).toHaveLength(1);
  end();
});

test.each([
  [6, undefined],
  [7, 'todos.palette.more 1'],
])('of %i that fit, those that are not listed are counted', async (count, more) => {
  const end = $effect.root(() => {
    const begun = search.begin(() => `약 ${count}`);
    $effect(() => void (found = begun.found));
  });
  let found: ReturnType<typeof search.begin>['found'] = [];
  open = TODOS.filter(({ id }) => id >= 10 && id < 10 + count).map((todo) => ({ ...todo, title: `약 ${count}` }));
  flushSync();
  await vi.waitFor(() => expect(found.length).toBeGreaterThan(0), { timeout: 2_000, interval: 5 });
  expect([found.filter(({ id }) => id !== 'more').length, found.find(({ id }) => id === 'more')?.name]).toEqual([6, more]);
  end();
});
