import { expect, test } from 'vitest';
import { isWorkdays, weekOfMonth, WORKDAYS } from './repeats';

test('a day lies in the week of its month that its weekday has come so many times by then', () => {
  const days = Array.from({ length: 31 }, (_, index) => `2026-12-${String(index + 1).padStart(2, '0')}`);
  expect(days.map(weekOfMonth).join('')).toBe('1111111' + '2222222' + '3333333' + '4444444' + '555');
});

test('what comes on each workday of every week is said of no other repetition', () => {
  const all = [
    { every: 'week', weekdays: WORKDAYS }, { every: 'week', interval: 1, weekdays: WORKDAYS, from: 'done' },
    { every: 'week', interval: 2, weekdays: WORKDAYS }, { every: 'week', interval: 1, weekdays: WORKDAYS.slice(1) }, { every: 'week', interval: 1, weekdays: [] }, { every: 'week' }, { every: 'day', interval: 1 },
  ] as const;
  expect(all.map((repeat) => isWorkdays({ ...repeat, weekdays: 'weekdays' in repeat ? [...repeat.weekdays] : undefined }))).toEqual([true, true, false, false, false, false, false]);
});
