/** What needs the household today, most urgent first. Pure: the day's facts in, a list of lines out. */

import { daysBetween, dayOf } from '../../lib/format';
import type { Today } from '../../lib/schema';
import type { Todo } from '../todos/types';

export type Need =
  | { kind: 'storage'; state: 'full' | 'recovering' | 'damaged' }
  | { kind: 'todo'; todo: Todo; overdue: boolean }
  | { kind: 'more_due'; count: number }
  /** As `more_due`, but only the least number is known. */
  | { kind: 'many_due'; count: number }
  | { kind: 'missing'; count: number }
  | { kind: 'no_backup' }
  | { kind: 'providers'; count: number }
  | { kind: 'picks'; draw_no: number };

/** Todos listed one by one; the rest is a number with a link. */
const MOST_TODOS = 4;
/** The server names no more todos than these. */
const MOST_NAMED = 10;
/** A coming draw is worth a line when its sales close within two days. */
const DRAW_IS_NEAR_MS = 2 * 86_400_000;

/** The lines of the list at the top of Today. */
export function needsOf(today: Today, now: number): Need[] {
  const day = dayOf(now);
  const due = today.todos.due.filter((todo) => !todo.done && todo.due !== null && daysBetween(day, todo.due) <= 0);
  const closesIn = Date.parse(today.draw.next_draw.sales_close_at) - now;
  const picks = today.draw.picks.some((pick) => pick.for_draw === today.draw.next_draw.draw_no);
  return [
    ...(today.storage_state === 'ok' ? [] : [{ kind: 'storage', state: today.storage_state } as const]),
    ...due.slice(0, MOST_TODOS).map((todo) => ({ kind: 'todo', todo, overdue: todo.due !== day }) as const),
    ...moreDue(due.length, today.todos.overdue_count),
    ...(today.draw.missing > 0 ? [{ kind: 'missing', count: today.draw.missing } as const] : []),
    ...(today.last_verified_backup ? [] : [{ kind: 'no_backup' } as const]),
    ...(today.providers_failing > 0 ? [{ kind: 'providers', count: today.providers_failing } as const] : []),
    ...(picks && closesIn > 0 && closesIn < DRAW_IS_NEAR_MS ? [{ kind: 'picks', draw_no: today.draw.next_draw.draw_no } as const] : []),
  ];
}

/** The line for the todos that are not listed one by one; beyond what the server names, only those that are overdue are counted. */
function moreDue(named: number, overdue: number): Need[] {
  if (named <= MOST_TODOS) return [];
  if (named < MOST_NAMED) return [{ kind: 'more_due', count: named - MOST_TODOS }];
  return [{ kind: 'many_due', count: Math.max(named, overdue) - MOST_TODOS }];
}
