/** The closes that a small line shows. Nothing here touches the page. */

import { daysBetween } from '../../lib/format';
import type { Day } from '../../lib/schema';

/** A longer pause than any holidays: something is missing there. */
const PAUSE_DAYS = 12;

/** The closes of the last `days` days up to the newest one, oldest first; null where some are missing, which breaks the line. */
export function lately(closes: readonly { date: Day; close: number }[], days: number): (number | null)[] {
  const newest = closes.at(-1)?.date;
  const shown = newest === undefined ? [] : closes.filter(({ date }) => daysBetween(date, newest) < days);
  return shown.flatMap(({ date, close }, place) => {
    const before = shown[place - 1]?.date;
    return before !== undefined && daysBetween(before, date) > PAUSE_DAYS ? [null, close] : [close];
  });
}
