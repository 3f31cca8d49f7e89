import { expect, test } from 'vitest';
import { span } from './months';

test('one month is called by its name, and several from the first to the last', () => {
  expect([span('2026-11-01', '2026-11-01'), span('2026-10-01', '2026-11-01')]).toEqual(['2026년 11월', '2026년 10월 – 2026년 11월']);
});
