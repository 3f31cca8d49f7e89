import { expect, test } from 'vitest';
import { overLimit } from './limit';

const NOVEMBER = { month: '2026-11', invested: 12_000, limit: 20_000 };
/** Days of draws. */
const [OF_NOVEMBER, OF_OCTOBER] = ['2026-11-07', '2026-10-31'];

test('what takes the month over its limit is asked back with the sum and what is over', () => {
  expect(overLimit(NOVEMBER, [{ drawn: OF_NOVEMBER, amount: 11_000 }])).toEqual({ spent: 23_000, over: 3_000 });
  expect(overLimit(NOVEMBER, [{ drawn: OF_NOVEMBER, amount: 5_000 }, { drawn: OF_NOVEMBER, amount: 4_000 }])).toEqual({ spent: 21_000, over: 1_000 });
});

test('nothing is asked back up to the limit, without one, and for draws of earlier months', () => {
  expect(overLimit(NOVEMBER, [{ drawn: OF_NOVEMBER, amount: 8_000 }])).toBeUndefined();
  expect(overLimit({ ...NOVEMBER, limit: null }, [{ drawn: OF_NOVEMBER, amount: 90_000 }])).toBeUndefined();
  expect(overLimit(NOVEMBER, [{ drawn: OF_OCTOBER, amount: 90_000 }])).toBeUndefined();
});

test('games for a draw of next month are bought now', () => {
  expect(overLimit(NOVEMBER, [{ drawn: '2026-12-19', amount: 9_000 }])).toEqual({ spent: 21_000, over: 1_000 });
});

test('of a change only what it adds to the month counts', () => {
  const before = { drawn: OF_NOVEMBER, amount: 12_000, created_at: '2026-10-31T15:00:00Z' };
  expect(overLimit(NOVEMBER, [{ drawn: OF_NOVEMBER, amount: 21_000, before }])).toEqual({ spent: 21_000, over: 1_000 });
  expect(overLimit({ ...NOVEMBER, invested: 30_000 }, [{ drawn: OF_NOVEMBER, amount: 12_000, before }])).toBeUndefined();
  // Written down at 23:59 on 31 October in Seoul: it is not of this month, whatever it costs.
  const october = { ...before, created_at: '2026-10-31T14:59:59Z' };
  expect(overLimit(NOVEMBER, [{ drawn: OF_NOVEMBER, amount: 90_000, before: october }])).toBeUndefined();
});
