/** Reads how a todo repeats out of the words of a line, such as "매주 월요일" and "every 2 weeks". Pure. */

import type { Day } from '../../lib/schema';
import { NewTodo } from '../../bounds/todos';
import { either, ENGLISH_MONTH, ENGLISH_WEEKS, KOREAN_WEEKDAYS, KOREAN_WEEKS, monthNumber, WEEKDAY_ENDING, WEEKDAYS, weekdayNumber, WHOLE_WEEKDAY } from './day-names';
import { addDays, addMonths, dayIn, isDay, lastOfMonth, mondayOf, monthOf, weekdayOf } from './days';
import { TIME } from './times';
import type { NewRepeat, Repeat, Weekday } from './types';

export const WORKDAYS = WEEKDAYS.slice(0, 5);
/** The day of a month that each has on its last one. */
export const LAST_DAY = NewTodo.repeat.day.maximum;
/** The week of a month that is its last one. */
export const LAST_WEEK = NewTodo.repeat.week.maximum;
/** It has every day that any year has. */
const A_LEAP_YEAR = 2028;

export type Repeating = { repeat: NewRepeat; due: Day };
type Groups = Record<string, string | undefined>;
type Phrase = { pattern: string; day: (groups: Groups, today: Day) => Repeating | undefined };

const NAME = `(?:${WHOLE_WEEKDAY})`;
const NAMES = `${NAME}(?:(?:,| and|, and) ${NAME})*`;
const KOREAN_DAY = `[${KOREAN_WEEKDAYS}]${WEEKDAY_ENDING}?`;
/** Several weekdays, one after the other or from one to another. */
const KOREAN_DAYS = `${KOREAN_DAY}(?:(?:[\\s,·]*|\\s?[~–-]\\s?|(?:과|와|부터|에서)\\s?)${KOREAN_DAY})*(?:까지)?`;
/** They are told from other words by their endings or by what joins them. */
const KOREAN_DAYS_EACH = `${KOREAN_DAY}(?:(?:\\s?[,·]\\s?|\\s?[~–-]\\s?|(?:과|와|부터)\\s?)${KOREAN_DAY})+`;
const WEEKEND = WEEKDAYS.slice(5);

/** Before a time: alone it says too little to be taken for a repetition. */
const TIMED = `(?=\\s+${TIME.replace('?<time>', '?:')}(?![\\p{L}\\p{N}]))`;
const PART = '(?=\\s(?:morning|afternoon|evening|night)s?(?!\\p{L}))';

/** What an ordinal counts instead of the days of a month. */
const COUNTED = '(?:day|week|weekday|weekend|month|year|hour|time)s?(?!\\p{L})';

/** Each with the first day on which it comes, today among them. */
export const REPEATS: Phrase[] = [
  { pattern: `매일(?:마다)?|every day|daily|every${PART}`, day: (_, today) => daily(1, today) },
  { pattern: '격일(?:로|마다)?|every other day', day: (_, today) => daily(2, today) },
  { pattern: '(?<count>\\d{1,2})일마다|every (?<number>\\d{1,2}) days', day: ({ count, number }, today) => daily(Number(count ?? number), today) },
  { pattern: `평일(?:마다|\\s매일)|매주?\\s?평일(?:마다|에)?|평일(?:에는|에)?${TIMED}|every (?:weekday|workday)|weekdays|weekday${PART}`, day: (_, today) => weekly(1, WORKDAYS, today) },
  { pattern: '주말마다|매(?:주\\s?|\\s)주말(?:마다|에)?|every weekend', day: (_, today) => weekly(1, WEEKEND, today) },
  { pattern: `매주\\s?(?<days>${KOREAN_DAYS})(?:마다|에)?(?!\\p{L})`, day: ({ days }, today) => weekly(1, koreanWeekdays(days), today) },
  { pattern: `(?<days>[${KOREAN_WEEKDAYS}]${WEEKDAY_ENDING}|${KOREAN_DAYS_EACH})마다`, day: ({ days }, today) => weekly(1, koreanWeekdays(days), today) },
  { pattern: `(?:격주|2주에 한 번)\\s?(?<days>[${KOREAN_WEEKDAYS}]${WEEKDAY_ENDING})(?:마다|에)?`, day: ({ days }, today) => weekly(2, koreanWeekdays(days), today) },
  { pattern: `(?<count>\\d{1,2})주마다\\s?(?<days>[${KOREAN_WEEKDAYS}]${WEEKDAY_ENDING})(?:마다|에)?`, day: ({ count, days }, today) => weekly(Number(count), koreanWeekdays(days), today) },
  { pattern: `(?:every other week|fortnightly) (?:on )?(?<days>${NAMES})`, day: ({ days }, today) => weekly(2, englishWeekdays(days), today) },
  { pattern: `every (?<count>\\d{1,2}) weeks (?:on )?(?<days>${NAMES})`, day: ({ count, days }, today) => weekly(Number(count), englishWeekdays(days), today) },
  { pattern: `(?:every week|weekly) (?:on )?(?<days>${NAMES})`, day: ({ days }, today) => weekly(1, englishWeekdays(days), today) },
  { pattern: '격주(?:로|마다)?|every other week|fortnightly', day: (_, today) => weekly(2, [], today) },
  { pattern: '(?<count>\\d{1,2})주마다|every (?<number>\\d{1,2}) weeks', day: ({ count, number }, today) => weekly(Number(count ?? number), [], today) },
  { pattern: `every other (?<days>${NAME})`, day: ({ days }, today) => weekly(2, englishWeekdays(days), today) },
  { pattern: `(?:every|each) (?<days>${NAMES})`, day: ({ days }, today) => weekly(1, englishWeekdays(days), today) },
  { pattern: '매주(?:마다)?|every week|weekly', day: (_, today) => weekly(1, [], today) },
  { pattern: '(?:매달|매월)\\s?(?:말일?|마지막 ?날)(?:마다|에|까지)?|(?:every month|monthly) on the last day|(?:the )?last day of every month', day: (_, today) => monthly(LAST_DAY, today) },
  { pattern: `(?:매달|매월)\\s?(?<week>${either(KOREAN_WEEKS.slice(0, 4))})째\\s?주?\\s?(?<day>[${KOREAN_WEEKDAYS}])${WEEKDAY_ENDING}(?:마다|에)?`, day: ({ week, day }, today) => inWeek(KOREAN_WEEKS.indexOf(week ?? '') + 1, weekdayNumber(day), today) },
  { pattern: `(?:매달|매월)\\s?마지막\\s?주?\\s?(?<day>[${KOREAN_WEEKDAYS}])${WEEKDAY_ENDING}(?:마다|에)?`, day: ({ day }, today) => inWeek(LAST_WEEK, weekdayNumber(day), today) },
  { pattern: `(?:every|(?:on )?the) (?<week>${either(ENGLISH_WEEKS)}) (?<day>${NAME}) (?:of (?:the|each|every) month|every month)`, day: ({ week, day }, today) => inWeek(ENGLISH_WEEKS.indexOf((week ?? '').toLowerCase()) + 1, weekdayNumber(day), today) },
  { pattern: `(?:매달|매월)\\s?(?<day>\\d{1,2})일(?:마다|에|까지)?|(?:every month|monthly) on the (?<number>\\d{1,2})(?:st|nd|rd|th)?|(?:every month(?: on)?|monthly(?: on)?|every) (?<ordinal>\\d{1,2})(?:st|nd|rd|th)(?: of (?:the|each|every) month)?(?!\\s${COUNTED})`, day: ({ day, number, ordinal }, today) => monthly(Number(day ?? number ?? ordinal), today) },
  { pattern: '매달|매월|every month|monthly', day: (_, today) => monthly(Number(today.slice(8)), today) },
  { pattern: `매년\\s?(?<m>\\d{1,2})월\\s?(?<day>\\d{1,2})일(?:마다|에|까지)?|(?:every year|yearly) on (?<month>${ENGLISH_MONTH}) (?<number>\\d{1,2})(?:st|nd|rd|th)?`, day: ({ m, month, day, number }, today) => yearly(month ? monthNumber(month) : Number(m), Number(day ?? number), today) },
  { pattern: '매년|every year|yearly|annually', day: (_, today) => yearly(Number(today.slice(5, 7)), Number(today.slice(8)), today) },
];

/** The same from its next day on, when what is left of today is too late for it. */
export function afterToday(repeating: Repeating, today: Day): Repeating | undefined {
  const { repeat } = repeating;
  const { every, day, week, month } = repeat;
  const interval = repeat.interval ?? 1;
  const weekdays = repeat.weekdays ?? [];
  const tomorrow = addDays(today, 1);
  if (every === 'day') return { repeat, due: addDays(today, interval) };
  if (every === 'week') return weekdays.length > 0 ? weekly(interval, weekdays, tomorrow) : { repeat, due: addDays(today, 7 * interval) };
  if (week != null) return inWeek(week, WEEKDAYS.findIndex((name) => weekdays.includes(name)), tomorrow);
  return month == null ? monthly(day ?? LAST_DAY, tomorrow) : yearly(month, day ?? LAST_DAY, tomorrow);
}

function daily(interval: number, today: Day): Repeating | undefined {
  return isInterval(interval) ? { repeat: { every: 'day', interval }, due: today } : undefined;
}

function weekly(interval: number, weekdays: Weekday[], today: Day): Repeating | undefined {
  if (!isInterval(interval)) return undefined;
  const due = WEEKDAYS.map((_, ahead) => addDays(today, ahead)).find((day) => weekdays.length === 0 || weekdays.includes(weekdayNamed(day)));
  return due === undefined ? undefined : { repeat: { every: 'week', interval, ...(weekdays.length > 0 ? { weekdays } : {}) }, due };
}

function isInterval(count: number): boolean {
  const { minimum, maximum } = NewTodo.repeat.interval;
  return count >= minimum && count <= maximum;
}

function monthly(day: number, today: Day): Repeating | undefined {
  if (day < 1 || day > LAST_DAY) return undefined;
  const due = nextMonths(today).map((month) => dayIn(month, day) ?? lastOfMonth(month)).find((one) => one >= today);
  return due === undefined ? undefined : { repeat: { every: 'month', interval: 1, day }, due };
}

function inWeek(week: number, weekday: number, today: Day): Repeating | undefined {
  const due = nextMonths(today).map((month) => dayOfWeek(month, week, weekday)).find((one) => one >= today);
  const name = WEEKDAYS[weekday];
  return due !== undefined && name !== undefined ? { repeat: { every: 'month', interval: 1, week, weekdays: [name] }, due } : undefined;
}

/** On 29 February it comes on the last day of February in years that have none, also in the first. */
function yearly(month: number, day: number, today: Day): Repeating | undefined {
  const inYear = (year: string | number) => `${year}-${String(month).padStart(2, '0')}-01`;
  if (!isDay(inYear(A_LEAP_YEAR)) || dayIn(inYear(A_LEAP_YEAR), day) === undefined) return undefined;
  const year = Number(today.slice(0, 4));
  const due = [year, year + 1].map(inYear).map((first) => dayIn(first, day) ?? lastOfMonth(first)).find((one) => one >= today);
  return due === undefined ? undefined : { repeat: { every: 'year', interval: 1, month, day }, due };
}

/** That weekday in the week of the month with this number, the last one for five. */
export function dayOfWeek(month: Day, week: number, weekday: number): Day {
  const first = addDays(month, (weekday - ((weekdayOf(month) + 6) % 7) + 7) % 7);
  const day = addDays(first, 7 * (week - 1));
  return day > lastOfMonth(month) ? addDays(day, -7) : day;
}

/** Which week of its month a day lies in by its weekday: the second Tuesday is 2, a fifth one the last. */
export function weekOfMonth(day: Day): number {
  return Math.ceil(Number(day.slice(8)) / 7);
}

export function weekdayNamed(day: Day): Weekday {
  return WEEKDAYS[(weekdayOf(day) + 6) % 7] as Weekday;
}

/** A day of this weekday, to be named in a language. */
export function someDayOf(weekday: Weekday): Day {
  return addDays(mondayOf('2026-11-23'), WEEKDAYS.indexOf(weekday));
}

/** Whether it comes on every workday and on no other day. */
export function isWorkdays({ every, interval, weekdays }: NewRepeat | Repeat): boolean {
  return every === 'week' && (interval ?? 1) === 1 && weekdays?.join() === WORKDAYS.join();
}

function nextMonths(today: Day): Day[] {
  return [0, 1, 2].map((ahead) => addMonths(monthOf(today), ahead));
}

function koreanWeekdays(text = ''): Weekday[] {
  const spans = text.replaceAll(/요일|욜|까지/g, '').replaceAll(/\s?(?:[~–-]|부터|에서)\s?/g, '~').matchAll(new RegExp(`([${KOREAN_WEEKDAYS}])(?:~([${KOREAN_WEEKDAYS}]))?`, 'gu'));
  return chosen([...spans].flatMap(([, from, to]) => (to === undefined ? [weekdayNumber(from)] : span(weekdayNumber(from), weekdayNumber(to)))));
}

/** From one weekday to another, into the next week where that comes first. */
function span(from: number, to: number): number[] {
  const days = WEEKDAYS.length;
  return Array.from({ length: ((to - from + days) % days) + 1 }, (_, ahead) => (from + ahead) % days);
}

function englishWeekdays(text = ''): Weekday[] {
  return chosen(text.split(/,? and |, /).map((name) => weekdayNumber(name)));
}

function chosen(numbers: number[]): Weekday[] {
  return WEEKDAYS.filter((_, index) => numbers.includes(index));
}
