/** Days as a calendar counts them. Pure, and without a zone: a day is its name. */

import type { Day } from '../../lib/schema';

const DAY_MS = 86_400_000;

/** The day some days after another. */
export function addDays(day: Day, days: number): Day {
  return named(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
}

/** The same day some months later, or the last one of a month that is too short for it. */
export function addMonths(day: Day, months: number): Day {
  const [year, month, dayOfMonth] = day.split('-').map(Number) as [number, number, number];
  const first = named(Date.UTC(year, month - 1 + months, 1));
  return dayIn(first, dayOfMonth) ?? lastOfMonth(first);
}

/** The first day of its month. */
export function monthOf(day: Day): Day {
  return `${day.slice(0, 7)}-01`;
}

/** The last day of its month. */
export function lastOfMonth(day: Day): Day {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return named(Date.UTC(year, month, 0));
}

/** The day with this number in the month of another; undefined when it has none. */
export function dayIn(month: Day, dayOfMonth: number): Day | undefined {
  const day = `${month.slice(0, 7)}-${String(dayOfMonth).padStart(2, '0')}`;
  return isDay(day) ? day : undefined;
}

/** The Monday that its week begins with. */
export function mondayOf(day: Day): Day {
  return addDays(day, -((weekdayOf(day) + 6) % 7));
}

/** Its weekday; 0 is Sunday. */
export function weekdayOf(day: Day): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** Whether there is such a day. */
export function isDay(text: string): boolean {
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && named(parsed.getTime()) === text;
}

function named(milliseconds: number): Day {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
