import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { loadMessages } from '../../lib/i18n.svelte';
import type { Schemas, Today } from '../../lib/schema';
import { SECTIONS } from '../../sections';
import { needsOf as needsOfAll, PARTS } from './parts';

type Todo = Today['todos']['due'][number];

const NOW = Date.parse('2026-11-20T06:00:00Z');

function todo(id: number, due: string): Todo {
  return { id, title: `${id}`, note: '', due, done: false, created_at: '2026-11-01T00:00:00Z', done_at: null };
}

/** What is told here of Today; a section that is added later tells its own. */
type Told = Schemas['lottery.LotteryToday'] & Schemas['todos.TodosToday'] & Schemas['HouseToday'];

function day(over: Partial<Told>): Told {
  return {
    now: '2026-11-20T06:00:00Z',
    draw: {
      latest: {
        draw_no: 1245, date: '2026-10-10', numbers: [4, 5, 25, 28, 32, 42], bonus: 12, total_sales: null, prizes: [],
        first_prize_methods: null, published: 'numbers',
      },
      next_draw: { draw_no: 1246, at: '2026-11-21T11:35:00Z', sales_close_at: '2026-11-21T11:00:00Z' }, picks: [], missing: 0, undecided: 0,
    },
    todos: { due: [], due_count: 0, open_count: 0, overdue_count: 0 }, purchases_waiting: null, tasks: [],
    last_verified_backup: {
      name: 'a', kind: 'hourly', state: 'verified', created_at: '2026-11-20T05:00:00Z', verified_at: '2026-11-20T05:00:01Z', bytes: 1, rows: 1,
      number: 1, pause_ms: 0, tables: {},
      store_version: 1, app_version: '0.1.0', sha256: '',
    },
    damaged_backups: [], storage_state: 'ok', providers_failing: 0, ...over,
  };
}

/** What the sections need whose facts are told here. */
const needsOf = (today: Told, now: number) =>
  needsOfAll(today as Today, now, PARTS.filter(({ room }) => ['lottery', 'todos', 'system'].includes(room)));

beforeAll(() => loadMessages('today'));

test('every section that declares a part of Today has one, in the order of the sections', () => {
  const declared = (room: string) => existsSync(join(import.meta.dirname, '..', room, 'today.ts'));
  expect(PARTS.map(({ room }) => room)).toEqual(SECTIONS.map(({ room }) => room).filter(declared));
  expect(PARTS.length).toBeGreaterThan(2);
});

test('a calm day needs nothing', () => {
  expect(needsOf(day({}), NOW)).toEqual([]);
});

test('a full disk comes before everything else', () => {
  const needs = needsOf(day({ storage_state: 'full', providers_failing: 1, last_verified_backup: null }), NOW);
  expect(needs.map(({ id }) => id)).toEqual(['system-storage', 'system-no_backup', 'system-providers']);
});

test('a damaged backup is named and comes before the day\'s work', () => {
  const [need, ...others] = needsOf(day({ damaged_backups: ['20261010T120000Z-hourly'] }), NOW);
  expect([need?.id, need?.urgent, others.length]).toEqual(['system-damaged_backup', true, 0]);
  expect(need?.text).toBe('손상되어 복원할 수 없는 백업: 20261010T120000Z-hourly');
  expect(needsOf(day({ damaged_backups: ['b', 'a'] }), NOW)[0]?.text).toContain('2개');
});

test('what is due later is not a need; overdue is told from due today', () => {
  const due = [todo(1, '2026-11-18'), todo(2, '2026-11-20'), todo(3, '2026-11-25')];
  const needs = needsOf(day({ todos: { due, due_count: 3, open_count: 3, overdue_count: 1 } }), NOW);
  expect(needs.map(({ id, urgent }) => [id, urgent])).toEqual([['todos-1', true], ['todos-2', false]]);
});

test('many due todos end in a number', () => {
  const due = [1, 2, 3, 4, 5, 6].map((id) => todo(id, '2026-11-20'));
  expect(needsOf(day({ todos: { due, due_count: 6, open_count: 6, overdue_count: 0 } }), NOW).at(-1)?.text).toBe('기한이 된 할 일이 2개 더 있습니다');
});

test('beyond what the server names, the number is still exact', () => {
  const due = Array.from({ length: 10 }, (_, index) => todo(index + 1, '2026-11-18'));
  expect(needsOf(day({ todos: { due, due_count: 83, open_count: 90, overdue_count: 80 } }), NOW).at(-1)?.text).toBe('기한이 된 할 일이 79개 더 있습니다');
});

test('draws that are missing and a draw that comes near stand in their places', () => {
  const { draw } = day({});
  const near = { ...draw, missing: 3, picks: [{ for_draw: 1246 }] } as unknown as Today['draw'];
  const due = [todo(1, '2026-11-20')];
  const needs = needsOf(day({ draw: near, todos: { due, due_count: 1, open_count: 1, overdue_count: 0 }, last_verified_backup: null }), NOW);
  expect(needs.map(({ id }) => id)).toEqual(['todos-1', 'lottery-missing', 'system-no_backup', 'lottery-picks']);
  expect(needsOf(day({ draw: { ...near, missing: 0 } }), NOW - 2 * 86_400_000)).toEqual([]);
});

test('a draw that was kept aside waits for a decision', () => {
  const { draw } = day({});
  const needs = needsOf(day({ draw: { ...draw, undecided: 2 } }), NOW);
  expect(needs.map(({ id, text, act }) => [id, text, act])).toEqual([['lottery-undecided', '저장된 것과 다른 추첨 2건이 결정을 기다립니다', { open: '/lottery' }]]);
});
