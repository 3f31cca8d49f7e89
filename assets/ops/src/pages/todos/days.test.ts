import { expect, test } from 'vitest';
import { addDays, addMonths, lastOfMonth } from './days';

test('days and months are added across the ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addMonths('2026-12-31', 2)).toBe('2027-02-28');
  expect(addMonths('2028-02-29', 12)).toBe('2029-02-28');
  expect(lastOfMonth('2028-02-10')).toBe('2028-02-29');
});
