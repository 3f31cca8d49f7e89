/** The line of recorded totals over time. Nothing here touches the page. */

import type { TimedPoint } from '../../lib/charts/plot';
import { daysOf } from '../../lib/charts/series';
import type { Day } from '../../lib/schema';
import type { Snapshot } from './types';

/** The line over time, which breaks on weekdays without a record; those that lack something once more, and how many weekdays have none. */
export function lineOf(history: readonly Snapshot[]): { all: TimedPoint[]; partial: TimedPoint[]; gaps: number } {
  const known = new Map(history.map((one) => [one.date, one]));
  const days = daysOf([history.map(({ date, total_assets }) => ({ day: date, value: total_assets }))], isWeekday);
  const all = days.map((day) => ({ at: day, value: known.get(day)?.total_assets ?? null }));
  const partial = days.flatMap((day) => (known.get(day)?.partial ? [{ at: day, value: known.get(day)!.total_assets }] : []));
  return { all, partial, gaps: all.filter(({ value }) => value === null).length };
}

/** The schedule records on these. */
export function isWeekday(day: Day): boolean {
  const of = new Date(`${day}T00:00:00Z`).getUTCDay();
  return of > 0 && of < 6;
}
