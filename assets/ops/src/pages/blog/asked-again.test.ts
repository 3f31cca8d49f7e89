import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askedAgain } from './asked-again';

/** When the work was done, in milliseconds from the beginning. */
let done: number[];
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  done = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const begun = () => askedAgain(() => done.push(Date.now()), 11_000);

test('who asks all the time does not keep the work from being done', () => {
  const { ask } = begun();
  for (let second = 0; second <= 60; second += 1) {
    ask();
    vi.advanceTimersByTime(1_000);
  }
  expect(done).toEqual([11_000, 22_000, 33_000, 44_000, 55_000]);
});

test('from each time that somebody has asked enough passes before it is done for the last time', () => {
  const { ask } = begun();
  ask();
  vi.advanceTimersByTime(10_000);
  ask();
  vi.advanceTimersByTime(100_000);
  expect(done).toEqual([11_000, 22_000]);
  ask();
  vi.advanceTimersByTime(100_000);
  expect(done).toEqual([11_000, 22_000, 121_000]);
});

test('when it has ended nothing is done any more', () => {
  const { ask, end } = begun();
  ask();
  ask();
  end();
  vi.advanceTimersByTime(100_000);
  expect(done).toEqual([]);
});
