/** The arithmetic of values over days: which days there are, where a line breaks, what stands at the axes. */

import type { Day } from '../schema';

/** What is known of a day; null where it is known that nothing is. */
export type Point = { day: Day; value: number | null };

export type AxisUnit = 'day' | 'month' | 'year';

const DAY_MS = 86_400_000;

/** Every day from the first point of all lines to the last, without those on which `expects` wants no value and none is. */
export function daysOf(lines: readonly (readonly Point[])[], expects: (day: Day) => boolean = () => true): Day[] {
  const known = new Set(lines.flat().filter(({ value }) => value !== null).map(({ day }) => day));
  const all = lines.flat().map(({ day }) => day).sort();
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return [];
  const days: Day[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10);
    if (known.has(day) || expects(day)) days.push(day);
  }
  return days;
}

/** The value of a line on each of `days`; null where there is none. */
export function valuesOn(days: readonly Day[], points: readonly Point[]): (number | null)[] {
  const known = new Map(points.map(({ day, value }) => [day, value]));
  return days.map((day) => known.get(day) ?? null);
}

/** The stretches of days in a row that have values, by their places: a line is drawn through each, and between them none. */
export function stretchesOf(values: readonly (number | null)[]): number[][] {
  const found: number[][] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    if (index > 0 && values[index - 1] !== null) found.at(-1)!.push(index);
    else found.push([index]);
  }
  return found;
}

/** Round values from below the lowest to above the highest, about `wanted` steps apart by 1, 2 or 5 times a power of ten. */
export function rangeTicks(lowest: number, highest: number, wanted = 4): number[] {
  const room = highest > lowest ? highest - lowest : Math.abs(highest) || 1;
  const rough = room / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough - 1e-12 * power) ?? 10) * power;
  const first = Math.floor(lowest / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(highest / step - 1e-9));
  // Not −0.
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)) + 0);
}

/**
 * The days that are named at the axis where each name takes `needed` pixels of `width`: days, firsts of months, or of years.
 * Where each stands for its month (`monthly`), no day is named.
 */
export function axisDays(days: readonly Day[], width: number, needed: number, monthly = false): { index: number; unit: AxisUnit }[] {
  const room = Math.max(1, Math.floor(width / needed));
  const everyDay = days.map((_, index) => index);
  for (const step of monthly ? [] : [1, 2, 7, 14]) {
    if (days.length / step <= room) return everyDay.filter((index) => index % step === 0).map((index) => ({ index, unit: 'day' }));
  }
  // The first day that there is of each month: it need not be the 1st.
  const months = monthly ? everyDay : everyDay.filter((index) => index > 0 && days[index]!.slice(0, 7) !== days[index - 1]!.slice(0, 7));
  const month = (index: number) => Number(days[index]!.slice(5, 7));
  for (const step of [1, 2, 3, 6]) {
    const some = months.filter((index) => (month(index) - 1) % step === 0);
    if (some.length <= room) return some.map((index) => ({ index, unit: month(index) === 1 ? 'year' : 'month' }));
  }
  const years = months.filter((index) => month(index) === 1);
  const step = [1, 2, 5, 10, 20, 50].find((each) => years.length / each <= room) ?? 100;
  return years.filter((index) => Number(days[index]!.slice(0, 4)) % step === 0).map((index) => ({ index, unit: 'year' }));
}
