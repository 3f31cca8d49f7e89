/** How many of the last months are shown together, and how they are called. */

import type { Day } from '../../../lib/schema';
import { month } from '../../../lib/say';
import { lottery_purchase_months } from '../../../bounds/lottery';

/** More months than there have been draws in. */
export const EVERY = lottery_purchase_months.limit.maximum;
export const SPANS = [12, 24, EVERY] as const;

/** From one month to another, in words; a month alone by its name. */
export function span(first: Day, last: Day): string {
  return first.slice(0, 7) === last.slice(0, 7) ? month(first) : `${month(first)} – ${month(last)}`;
}
