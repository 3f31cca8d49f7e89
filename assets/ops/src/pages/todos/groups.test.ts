import { expect, test } from 'vitest';
import { doneTodos, openGroups } from './groups';
import type { Todo } from './types';

function done(id: number, done_at: string | null): Todo {
  return { id, time: null, remind_before: null, remind_at: null, reminded_at: null, reminded_for: null, repeat: null, repeat_day: null, followed_by: null, follows: null, title: `${id}`, note: '', due: null, done: true, created_at: '2026-11-01T00:00:00Z', done_at };
}

const ids = (todos: Todo[]) => todos.map(({ id }) => id);

test('what was done last comes first, to the millisecond and then the newest, as the server lists it', () => {
  const todos = [done(1, '2026-11-02T00:00:00Z'), done(2, '2026-11-02T00:00:00.5Z'), done(3, '2026-11-02T00:00:00.500250Z'), done(4, '2026-11-02T00:00:00.500100Z')];
  expect(ids(doneTodos(todos))).toEqual([4, 3, 2, 1]);
});

test('what is ticked off but not confirmed yet was done last', () => {
  expect(ids(doneTodos([done(1, '2026-11-02T00:00:00Z'), done(2, null)]))).toEqual([2, 1]);
});

test('what is open stands by its day, what has none behind it, the newest first', () => {
  const open = (id: number, due: string | null): Todo => ({ ...done(id, null), done: false, due });
  const todos = [open(1, null), open(2, '2026-12-01'), open(3, '2026-11-21'), open(4, null), open(5, '2026-11-20')];
  expect(openGroups(todos, '2026-11-20').map(({ name, todos }) => [name, ids(todos)])).toEqual([['today', [5]], ['later', [3, 2]], ['any', [4, 1]]]);
});

test('those of one day stand by their time, as the server lists them', () => {
  const at = (id: number, time: string | null): Todo => ({ ...done(id, null), done: false, due: '2026-11-20', time });
  const todos = [at(1, '12:30'), at(2, null), at(3, '07:05'), at(4, '12:30')];
  expect(ids(openGroups(todos, '2026-11-20')[0]!.todos)).toEqual([3, 4, 1, 2]);
});
