import { expect, test, vi } from 'vitest';
import { dateTime } from '../../lib/say';
import { nextReminderName } from './phrases';
import type { Todo } from './types';

vi.mock('../../lib/i18n.svelte', () => ({ t: (key: string, { count }: { count?: number } = {}) => [key, count].filter(Boolean).join(' '), currentLanguage: () => 'ko' }));

/** The dentist on a Monday at three, one day before. */
function dentist(over: Partial<Todo>): Todo {
  return {
    id: 1, title: '치과', note: '', due: '2026-11-23', done: false, created_at: '2026-11-01T00:00:00Z', done_at: null, time: '15:00', remind_before: 1_440,
    remind_at: '2026-11-22T06:00:00Z', reminded_at: null, reminded_for: null, repeat: null, repeat_day: null, followed_by: null, follows: null, ...over,
  };
}

test('a reminder is named by its rule while it comes as that says, however its instant is written', () => {
  expect(nextReminderName(dentist({}))).toBe('todos.remind.days 1');
  expect(nextReminderName(dentist({ remind_at: '2026-11-22T06:00:00.000Z' }))).toBe('todos.remind.days 1');
  expect(nextReminderName(dentist({ time: null, remind_at: '2026-11-22T00:00:00Z' }))).toBe('todos.remind.day_before');
});

test('a reminder that was put off, or has no rule, is named by its day and time', () => {
  const later = '2026-11-22T07:00:00Z';
  for (const over of [{ remind_at: later }, { remind_at: later, time: null }, { remind_at: later, remind_before: null }, { remind_at: later, remind_before: null, due: null, time: null }]) {
    expect(nextReminderName(dentist(over))).toBe(dateTime(later));
  }
  expect(nextReminderName(dentist({ remind_at: null }))).toBe('');
});
