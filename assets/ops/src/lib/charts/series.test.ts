import { describe, expect, test } from 'vitest';
import { axisDays, daysOf, rangeTicks, stretchesOf, valuesOn } from './series';

const points = (...known: [string, number | null][]) => known.map(([day, value]) => ({ day, value }));
const isWeekday = (day: string) => ![0, 6].includes(new Date(day).getUTCDay());
/** `count` days from one. */
const daysFrom = (day: string, count: number) => Array.from({ length: count }, (_, index) => new Date(Date.parse(day) + index * 86_400_000).toISOString().slice(0, 10));

describe('the days', () => {
  test('are all from the first to the last of every line, in whatever order they come', () => {
    const lines = [points(['2026-03-01', 2], ['2026-02-27', 1]), points(['2026-03-02', 3])];
    expect(daysOf(lines)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
    expect(daysOf([])).toEqual([]);
  });

  test('on which no value is expected are none, unless there is one', () => {
    // 20 November 2026 is a Friday.
    const line = points(['2026-11-20', 1], ['2026-11-22', 2], ['2026-11-23', 3]);
    expect(daysOf([line], isWeekday)).toEqual(['2026-11-20', '2026-11-22', '2026-11-23']);
  });
});

describe('a line', () => {
  test('breaks where an expected day has no value: nothing is drawn to zero', () => {
    const line = points(['2026-11-02', 5], ['2026-11-03', 6], ['2026-11-05', 0], ['2026-11-06', null], ['2026-11-07', 9]);
    const values = valuesOn(daysOf([line]), line);
    expect(values).toEqual([5, 6, null, 0, null, 9]);
    expect(stretchesOf(values)).toEqual([[0, 1], [3], [5]]);
    expect([stretchesOf([]), stretchesOf([null, null])]).toEqual([[], []]);
  });

  test('goes on over a weekend where none is expected', () => {
    const line = points(['2026-11-20', 1], ['2026-11-23', 2], ['2026-11-25', 3]);
    expect(stretchesOf(valuesOn(daysOf([line], isWeekday), line))).toEqual([[0, 1], [3]]);
  });
});

describe('the ticks', () => {
  test.each([
    [121, 128, [120, 122, 124, 126, 128]],
    [-30, 45, [-40, -20, 0, 20, 40, 60]],
    [0, 0.3, [0, 0.1, 0.2, 0.3]],
    [5, 5, [4, 6]],
    [0, 0, [0, 0.5]],
  ])('from %d to %d are round and hold both', (low, high, ticks) => {
    const found = rangeTicks(low, high);
    expect(found[0]).toBeLessThanOrEqual(low);
    expect(found.at(-1)).toBeGreaterThanOrEqual(high);
    if (high > low) expect(found).toEqual(ticks);
    expect(found.some((tick) => Object.is(tick, -0))).toBe(false);
  });
});

describe('the names of days at the axis', () => {
  const named = (days: string[], width: number) => axisDays(days, width, 60).map(({ index, unit }) => `${days[index]} ${unit}`);

  test('are days while they fit, then weeks', () => {
    expect(named(daysFrom('2026-11-01', 4), 300)).toEqual(['2026-11-01 day', '2026-11-02 day', '2026-11-03 day', '2026-11-04 day']);
    expect(named(daysFrom('2026-11-01', 28), 300)).toEqual(['2026-11-01 day', '2026-11-08 day', '2026-11-15 day', '2026-11-22 day']);
  });

  test('are months where each day stands for one, however few', () => {
    const months = ['2026-10-01', '2026-11-01', '2026-12-01', '2027-01-01'];
    const named = (days: string[], width: number) => axisDays(days, width, 60, true).map(({ index, unit }) => `${days[index]} ${unit}`);
    expect(named(months, 300)).toEqual(['2026-10-01 month', '2026-11-01 month', '2026-12-01 month', '2027-01-01 year']);
    expect(named(months, 130)).toEqual(['2026-11-01 month', '2027-01-01 year']);
    expect(named(months.slice(0, 1), 300)).toEqual(['2026-10-01 month']);
  });

  test('are firsts of months and years over longer times, and never more than fit', () => {
    expect(named(daysFrom('2026-10-15', 120), 300)).toEqual(['2026-11-01 month', '2026-12-01 month', '2027-01-01 year', '2027-02-01 month']);
    expect(named(daysFrom('2022-06-01', 1_500), 300)).toEqual(['2023-01-01 year', '2024-01-01 year', '2025-01-01 year', '2026-01-01 year']);
    for (const count of [1, 9, 40, 200, 800, 3_000, 20_000]) expect(named(daysFrom('1990-01-01', count), 300).length).toBeLessThanOrEqual(5);
  });

  test('stand on the first day there is of a month that does not begin with one', () => {
    const days = daysFrom('2026-07-20', 120).filter((day) => !['2026-08-01', '2026-08-02'].includes(day));
    expect(named(days, 300)[0]).toBe('2026-08-03 month');
  });
});
