import { expect, test } from 'vitest';
import { lately } from './closes';

const closes = (...dates: string[]) => dates.map((date, place) => ({ date, close: place + 1 }));

test('only the last days count, back from the newest close', () => {
  expect(lately(closes('2026-03-20', '2026-08-21', '2026-08-24', '2026-11-19'), 90)).toEqual([3, null, 4]);
  expect(lately(closes('2026-03-20', '2026-11-27'), 90)).toEqual([2]);
  expect(lately([], 90)).toEqual([]);
});

test('holidays break no line, and months without closes do', () => {
  expect(lately(closes('2026-09-22', '2026-09-23', '2026-10-05', '2026-10-18'), 90)).toEqual([1, 2, 3, null, 4]);
});
