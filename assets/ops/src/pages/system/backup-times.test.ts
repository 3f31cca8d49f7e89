import { expect, test } from 'vitest';
import type { Snapshot } from '../../lib/schema';
import { backupTimes } from './backup-times';

const made = (number: number, created_at: string) => ({ name: `${number}`, number, created_at }) as Snapshot;
const minute = (instant: string) => instant.slice(11, 16);

test('a backup is told by the minute, and more precisely only where others of the list read alike', () => {
  const backups = [
    made(5, '2026-11-20T05:02:00Z'), made(4, '2026-11-20T05:01:59.8Z'), made(3, '2026-11-20T05:01:07Z'),
    made(2, '2026-11-20T05:01:07.4Z'), made(1, '2026-11-20T05:00:00Z'),
  ];
  expect(Object.fromEntries(backupTimes(backups, minute))).toEqual({
    1: '05:00', 2: '05:01:07 (1)', 3: '05:01:07 (2)', 4: '05:01:59', 5: '05:02',
  });
});
