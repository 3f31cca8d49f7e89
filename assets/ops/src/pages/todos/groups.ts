/** The todos by when they matter. Pure: today is an argument. */

import { byDay } from '../../lib/order';
import type { OutboxEntry } from '../../lib/outbox.svelte';
import type { Day } from '../../lib/schema';
import type { NewTodo, Todo } from './types';

export type GroupName = 'overdue' | 'today' | 'later' | 'any';
export type Group = { name: GroupName; todos: Todo[] };

/** Open todos in groups without the empty ones: overdue, today, later by day, then without a day; those of one day by their time, those without one behind them, newest first. */
export function openGroups(todos: Todo[], today: Day): Group[] {
  const open = todos.filter(({ done }) => !done);
  const named = (name: GroupName, of: (todo: Todo) => boolean): Group => ({ name, todos: open.filter(of).sort(byDueAndTime) });
  return [
    named('overdue', ({ due }) => due !== null && due < today),
    named('today', ({ due }) => due === today),
    named('later', ({ due }) => due !== null && due > today),
    named('any', ({ due }) => due === null),
  ].filter((group) => group.todos.length > 0);
}

/** Done todos in the server's order: the last finished first, by its milliseconds; one that it has not confirmed yet before all others. */
export function doneTodos(todos: Todo[]): Todo[] {
  const finished = ({ done_at }: Todo) => (done_at === null ? Number.MAX_SAFE_INTEGER : Date.parse(done_at));
  return todos.filter(({ done }) => done).sort((a, b) => finished(b) - finished(a) || b.id - a.id);
}

/** What is not saved yet, as it will stand in the list: newer than all that is. */
export function asTodo({ body, since }: OutboxEntry<NewTodo>): Todo {
  const { title, note = '', due = null, time = null, remind_at = null, remind_before = null } = body;
  const asked = { title, note: note ?? '', due, time, remind_at, remind_before };
  return { ...asked, id: since, created_at: new Date(since).toISOString(), done: false, done_at: null, repeat_day: null, followed_by: null, follows: null, reminded_at: null, reminded_for: null, repeat: null };
}

function byDueAndTime(a: Todo, b: Todo): number {
  return byDay(a.due, b.due) || byTime(a.time, b.time) || b.id - a.id;
}

function byTime(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return (a ?? '~') < (b ?? '~') ? -1 : 1;
}
