import { expect, test } from 'vitest';
import { monthNumber, weekdayNumber } from './day-names';

test('a weekday is known by its Korean letter and by its English names, and nothing else is one', () => {
  expect(['월', '일', 'mon', 'Tues', 'SUNDAY', 'Thurs'].map(weekdayNumber)).toEqual([0, 6, 0, 1, 6, 3]);
  expect(['', '주', '월화', 'mo', undefined].map(weekdayNumber)).toEqual([-1, -1, -1, -1, -1]);
});

test('a month is known by its English names, and nothing else is one', () => {
  expect(['jan', 'Sept', 'DECEMBER', '', 'moon', undefined].map(monthNumber)).toEqual([1, 9, 12, 0, 0, 0]);
});
