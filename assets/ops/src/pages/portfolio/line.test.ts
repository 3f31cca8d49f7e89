import { expect, test } from 'vitest';
import { lineOf } from './line';
import type { Snapshot } from './types';

const record = (date: string, total_assets: number, partial = false): Snapshot => ({ date, total_assets, partial, source: 'scheduled', created_at: `${date}T06:45:00Z` });

test('the line breaks on weekdays without a record, and not at weekends', () => {
  // 2026-10-09 is a Friday.
  const { all, partial, gaps } = lineOf([record('2026-10-08', 1), record('2026-10-09', 2, true), record('2026-10-12', 3), record('2026-10-14', 4)]);
  expect(all.map(({ at, value }) => [at.slice(8), value])).toEqual([['08', 1], ['09', 2], ['12', 3], ['13', null], ['14', 4]]);
  expect([partial.map(({ at }) => at), gaps]).toEqual([['2026-10-09'], 1]);
});
