/** What needs the household today, most urgent first. Pure: the day's facts in, a list of lines out. */

import { daysBetween, dayOf } from '../../lib/format';
import type { Today } from '../../lib/schema';
import type { Todo } from '../todos/types';

export type Need =
  | { kind: 'storage'; state: 'full' | 'recovering' | 'damaged' }
  | { kind: 'todo'; todo: Todo; overdue: boolean }
  | { kind: 'more_due'; count: number }
  | { kind: 'missing'; count: number }
  | { kind: 'no_backup' }
  | { kind: 'providers'; count: number }
  | { kind: 'picks'; draw_no: number };

/** Todos listed one by one; the rest is a number with a link. */
const MOST_TODOS = 4;
/** A coming draw is worth a line when its sales close within two days. */
const DRAW_IS_NEAR_MS = 2 * 86_400_000;

/** The lines of the list at the top of Today. */
export function needsOf(today: Today, now: number): Need[] {
  const day = dayOf(now);
  const due = today.todos.due.filter((todo) => !todo.done && todo.due !== null && daysBetween(day, todo.due) <= 0);
  const listed = due.slice(0, MOST_TODOS);
  // The server names the most urgent ones only, and counts them all.
  const moreDue = today.todos.due_count - (today.todos.due.length - due.length) - listed.length;
  const closesIn = Date.parse(today.draw.next_draw.sales_close_at) - now;
  const picks = today.draw.picks.some((pick) => pick.for_draw === today.draw.next_draw.draw_no);
  return [
    ...(today.storage_state === 'ok' ? [] : [{ kind: 'storage', state: today.storage_state } as const]),
    ...listed.map((todo) => ({ kind: 'todo', todo, overdue: todo.due !== day }) as const),
    ...(moreDue > 0 ? [{ kind: 'more_due', count: moreDue } as const] : []),
    ...(today.draw.missing > 0 ? [{ kind: 'missing', count: today.draw.missing } as const] : []),
    ...(today.last_verified_backup ? [] : [{ kind: 'no_backup' } as const]),
    ...(today.providers_failing > 0 ? [{ kind: 'providers', count: today.providers_failing } as const] : []),
    ...(picks && closesIn > 0 && closesIn < DRAW_IS_NEAR_MS ? [{ kind: 'picks', draw_no: today.draw.next_draw.draw_no } as const] : []),
  ];
}
