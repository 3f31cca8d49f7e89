/** The todos by when they matter. Pure: today is an argument. */

import type { Day } from '../../lib/schema';
import type { Todo } from './types';

export type GroupName = 'overdue' | 'today' | 'later' | 'any';
export type Group = { name: GroupName; todos: Todo[] };

/** Open todos in groups without the empty ones: overdue, today, later by day, then without a day, newest first. */
export function openGroups(todos: Todo[], today: Day): Group[] {
  const open = todos.filter(({ done }) => !done);
  const named = (name: GroupName, of: (todo: Todo) => boolean): Group => ({ name, todos: open.filter(of).sort(byDueThenNewest) });
  return [
    named('overdue', ({ due }) => due !== null && due < today),
    named('today', ({ due }) => due === today),
    named('later', ({ due }) => due !== null && due > today),
    named('any', ({ due }) => due === null),
  ].filter((group) => group.todos.length > 0);
}

/** Done todos, the last finished first. */
export function doneTodos(todos: Todo[]): Todo[] {
  return todos.filter(({ done }) => done).sort((a, b) => (b.done_at ?? '').localeCompare(a.done_at ?? ''));
}

/** The first open todos after those that are due: by day, then those without a day, newest first. */
export function nextTodos(todos: Todo[], today: Day, most: number): Todo[] {
  const later = todos.filter(({ done, due }) => !done && (due === null || due > today));
  return later.sort((a, b) => (a.due ?? '9').localeCompare(b.due ?? '9') || b.id - a.id).slice(0, most);
}

function byDueThenNewest(a: Todo, b: Todo): number {
  return (a.due ?? '').localeCompare(b.due ?? '') || b.id - a.id;
}
