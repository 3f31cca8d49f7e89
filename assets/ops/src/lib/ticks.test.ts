import { expect, test } from 'vitest';
import { downToTick, isOnTick, tickSize } from './ticks';

/** The highest price that a share may reach on a day: 30 % above the base, cut down to a step (published examples of the exchange's rule). */
function limits(base: number): [number, number] {
  const room = Math.floor(Math.floor((base * 3) / 10) / tickSize(base)) * tickSize(base);
  return [base - room, downToTick(base + room)];
}

test('a price has the step of its day and its market', () => {
  expect([1_999, 2_000, 4_995, 19_990, 20_000, 199_900, 200_000, 500_000].map((price) => tickSize(price))).toEqual([1, 5, 5, 10, 50, 100, 500, 1_000]);
  expect([1_500, 15_000, 150_000].map((price) => tickSize(price, 'KOSPI', '2023-01-24'))).toEqual([5, 50, 500]);
  expect([tickSize(150_000, 'KOSDAQ', '2023-01-24'), tickSize(150_000, 'KOSDAQ', '2023-01-25'), tickSize(900_000, 'KONEX', '2020-01-02')]).toEqual([100, 100, 100]);
  expect([tickSize(1_990, 'FUND'), tickSize(12_345, 'FUND'), tickSize(1_990, 'FUND', '2023-11-30')]).toEqual([1, 5, 5]);
});

test('the daily limits of the exchange come out by the steps', () => {
  expect([9_995, 1_998, 19_980, 199_500, 499_500, 1_537].map(limits))
    .toEqual([[7_005, 12_980], [1_399, 2_595], [13_990, 25_950], [139_700, 259_000], [350_000, 649_000], [1_076, 1_998]]);
});

test('an order names a price on a step', () => {
  expect([isOnTick(72_300), isOnTick(72_350), isOnTick(12_345, 'FUND'), isOnTick(1_990.5), isOnTick(0)]).toEqual([true, false, true, false, false]);
});
