import { expect, test } from 'vitest';
import { guarded } from './day';
import type { Today } from './schema';

test('a fact that could not be read fails where it is read, and the others are good', () => {
  const today = { now: '2026-11-20T06:00:00Z', unread: ['todos'] } as unknown as Today;
  expect(guarded(today).now).toBe('2026-11-20T06:00:00Z');
  expect(() => guarded(today).todos.due_count).toThrow();
  expect(guarded({ ...guarded(today), unread: [] }).todos).toBeUndefined();
});
