import { expect, test } from 'vitest';
import { extent, joined, named, secondOf, unitOf } from './plot';

test('series are joined over all their times, with a gap where one has nothing', () => {
  const { times, columns } = joined([
    [{ at: '2026-11-18', value: 3 }, { at: '2026-11-16', value: 1 }, { at: '2026-11-17', value: null }],
    [{ at: '2026-11-17', value: 20 }, { at: '2026-11-19', value: 40 }],
  ]);
  expect(times).toEqual(['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19']);
  expect(columns).toEqual([[1, null, 3, null], [null, 20, null, 40]]);
  expect(secondOf('2026-11-20')).toBe(secondOf('2026-11-19T15:00:00Z'));
});

test('an axis names what fits, by years, months, days or minutes', () => {
  expect([named(5, 500, 60), named(60, 300, 60).length, named(0, 300, 60)]).toEqual([[0, 1, 2, 3, 4], 5, []]);
  expect([60, 86_400, 30 * 86_400, 365 * 86_400].map(unitOf)).toEqual(['minute', 'day', 'month', 'year']);
});

test('an axis has room around its values, and none below a zero that it begins at', () => {
  expect(extent([100, null, 200], { room: 0.1 })).toEqual([90, 210]);
  expect(extent([0, 50], { zero: true, room: 0.1 })).toEqual([0, 55]);
  expect(extent([-50, 50], { zero: true, room: 0.1 })).toEqual([-60, 60]);
  expect([extent([]), extent([7, 7], { room: 0.5 })]).toEqual([[0, 1], [3.5, 10.5]]);
});
