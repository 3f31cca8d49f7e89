import { expect, test, vi } from 'vitest';
import type { Today } from '../../lib/schema';
import part from './today';

vi.mock('../../lib/i18n.svelte', () => ({ t: (key: string) => key, currentLanguage: () => 'ko' }));

test('what needs the household is as much as is due, also what is not listed one by one', () => {
  const now = Date.parse('2026-11-22T03:00:00Z');
  const due = Array.from({ length: 10 }, (_, index) => ({ id: index + 1, title: `${index + 1}`, due: '2026-11-20', done: false }));
  for (const [due_count, lines] of [[10, 5], [53, 5]] as const) {
    const needs = part.needs({ todos: { due, due_count } } as unknown as Today, now);
    expect([needs.length, needs.reduce((sum, { count = 1 }) => sum + count, 0)]).toEqual([lines, due_count]);
  }
});

test('what is due at a time says so', () => {
  const due = [{ id: 1, title: '치과', due: '2026-11-22', time: '15:00', done: false }];
  const needs = part.needs({ todos: { due, due_count: 1 } } as unknown as Today, Date.parse('2026-11-22T03:00:00Z'));
  expect(needs.map(({ hint }) => hint)).toEqual(['15:00']);
});
