import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadMessages, setLanguage, type Language } from '../../lib/i18n.svelte';
import { reminderName, repeatName } from './phrases';
import { WORKDAYS } from './repeats';
import type { NewRepeat } from './types';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} });
  await loadMessages('todos');
});
afterAll(() => vi.unstubAllGlobals());

async function saidIn<T>(language: Language, all: T[], name: (one: T) => string): Promise<string[]> {
  await setLanguage(language);
  return all.map(name);
}

/** How each repetition is said: in Korean, in English. */
const REPEATS: [NewRepeat, string, string][] = [
  [{ every: 'day' }, '매일', 'Every day'],
  [{ every: 'day', interval: 1 }, '매일', 'Every day'],
  [{ every: 'day', interval: 2 }, '2일마다', 'Every 2 days'],
  [{ every: 'week', interval: 1 }, '매주', 'Every week'],
  [{ every: 'week', interval: 1, weekdays: ['mon'] }, '매주 월요일', 'Every week on Mon'],
  [{ every: 'week', interval: 1, weekdays: ['mon', 'thu'] }, '매주 월·목요일', 'Every week on Mon, Thu'],
  [{ every: 'week', interval: 2, weekdays: ['tue'] }, '2주마다 화요일', 'Every 2 weeks on Tue'],
  [{ every: 'week', interval: 1, weekdays: WORKDAYS }, '평일마다', 'Every weekday'],
  [{ every: 'week', weekdays: WORKDAYS }, '평일마다', 'Every weekday'],
  [{ every: 'week', interval: 2, weekdays: WORKDAYS }, '2주마다 월·화·수·목·금요일', 'Every 2 weeks on Mon, Tue, Wed, Thu, Fri'],
  [{ every: 'month', interval: 1, day: 5 }, '매월 5일', 'Every month on day 5'],
  [{ every: 'month', interval: 3, day: 30 }, '3개월마다 30일', 'Every 3 months on day 30'],
  [{ every: 'month', interval: 1, day: 31 }, '매월 말일', 'Every month on the last day'],
  [{ every: 'month', interval: 1, week: 2, weekdays: ['tue'] }, '매월 둘째 주 화요일', 'Every month on the second Tuesday'],
  [{ every: 'month', interval: 2, week: 5, weekdays: ['fri'] }, '2개월마다 마지막 주 금요일', 'Every 2 months on the last Friday'],
  [{ every: 'year', interval: 1, month: 3, day: 2 }, '매년 3월 2일', 'Every year on March 2'],
  [{ every: 'year', interval: 2, month: 12, day: 31 }, '2년마다 12월 31일', 'Every 2 years on December 31'],
  [{ every: 'day', interval: 3, from: 'done' }, '3일마다, 완료한 날부터', 'Every 3 days, counted from completion'],
];

test('a repetition is said in both languages as it comes', async () => {
  const all = REPEATS.map(([repeat]) => repeat);
  expect(await saidIn('ko', all, repeatName)).toEqual(REPEATS.map(([, korean]) => korean));
  expect(await saidIn('en', all, repeatName)).toEqual(REPEATS.map(([, , english]) => english));
});

/** How so many minutes before a time are said, and before a day without one: in Korean, in English. */
const REMINDERS: [number, string, string, string, string][] = [
  [0, '정시', '그날 09:00', 'At the time', 'That day, 09:00'],
  [1, '1분 전', '그날 08:59', '1 minute before', 'That day, 08:59'],
  [30, '30분 전', '그날 08:30', '30 minutes before', 'That day, 08:30'],
  [60, '1시간 전', '그날 08:00', '1 hour before', 'That day, 08:00'],
  [90, '90분 전', '그날 07:30', '90 minutes before', 'That day, 07:30'],
  [780, '13시간 전', '전날 20:00', '13 hours before', 'The day before, 20:00'],
  [1_440, '1일 전', '전날 09:00', '1 day before', 'The day before, 09:00'],
  [1_500, '25시간 전', '전날 08:00', '25 hours before', 'The day before, 08:00'],
  [10_080, '7일 전', '7일 전 09:00', '7 days before', '7 days before, 09:00'],
];

test('a reminder is said in both languages in the largest unit that it fills before a time, and by the clock before a day', async () => {
  const all = REMINDERS.map(([minutes]) => minutes);
  const both = (minutes: number) => [true, false].map((hasTime) => reminderName(minutes, hasTime)).join(' | ');
  expect(await saidIn('ko', all, both)).toEqual(REMINDERS.map(([, timed, untimed]) => `${timed} | ${untimed}`));
  expect(await saidIn('en', all, both)).toEqual(REMINDERS.map(([, , , timed, untimed]) => `${timed} | ${untimed}`));
});
