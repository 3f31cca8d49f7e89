/** The todos by when they matter. Pure: today is an argument. */

import type { Day, Todo } from '../../lib/types';

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

function byDueThenNewest(a: Todo, b: Todo): number {
  return (a.due ?? '').localeCompare(b.due ?? '') || b.id - a.id;
}
