/** What is asked back before more is written down for a month than the household means to spend. Nothing is refused. Pure. */

import { dayOf } from '../../../lib/format';
import type { Day, Instant } from '../../../lib/schema';
import type { ThisMonth } from '../types';

/** Games as they are about to be written down, with the day of their draw, and the purchase whose place they take. */
export type Planned = { drawn: Day; amount: number; before?: { drawn: Day; amount: number; created_at: Instant } };

/** What the month comes to with what is planned, and by how much that is over the limit; undefined where it is not, or where nothing is added to the month. */
export function overLimit(month: ThisMonth, planned: Planned[]): { spent: number; over: number } | undefined {
  if (month.limit === null) return undefined;
  const added = planned.reduce((sum, { drawn, amount, before }) => {
    const isNow = monthOf(drawn, before ? dayOf(before.created_at) : undefined) >= month.month;
    const wasNow = before !== undefined && monthOf(before.drawn, dayOf(before.created_at)) >= month.month;
    return sum + (isNow ? amount : 0) - (wasNow ? before.amount : 0);
  }, 0);
  const spent = month.invested + added;
  return added > 0 && spent > month.limit ? { spent, over: spent - month.limit } : undefined;
}

/** The month in which games of a draw were bought: of the day on which they were written down, else of today; no game is bought after its draw. */
function monthOf(drawn: Day, written?: Day): string {
  return (written !== undefined && written < drawn ? written : drawn).slice(0, 7);
}
