/** How days of the week, months, counts and lengths are named where they are typed, in Korean and English: each word once. */

import type { Weekday } from './types';

/** One of several words, as a part of a pattern. */
export const either = (words: string[]) => words.join('|');

/** Monday first, as weeks begin. */
export const WEEKDAYS: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** Their letters in Korean, in the same order. */
export const KOREAN_WEEKDAYS = '월화수목금토일';
/** What makes one of them a day: 금요일, and 금욜 as people type it. */
export const WEEKDAY_ENDING = '(?:요일|욜)';
export const WHOLE_WEEKDAY = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
/** They are told from other words by themselves. */
export const SHORT_WORKDAY = 'mon|tues?|wed|thu(?:rs?)?|fri';
/** Bare they are words of their own: sun cream, who sat where. */
export const SHORT_WEEKEND = 'sat|sun';
export const SHORT_WEEKDAY = `${SHORT_WORKDAY}|${SHORT_WEEKEND}`;

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
export const ENGLISH_MONTH = `(?:${either(MONTHS)}|(?:${either(MONTHS.map((name) => name.slice(0, 3)))}|sept)\\.?)`;

/** The weeks of a month by their order, the last one after the fourth. */
export const KOREAN_WEEKS = ['첫', '둘', '셋', '넷', '마지막'];
export const ENGLISH_WEEKS = ['first', 'second', 'third', 'fourth', 'last'];

/** The words of each count, from one: those that stand before what is counted, and the numbers. */
const KOREAN_UNITS = [['한'], ['두'], ['세', '석'], ['네', '넉'], ['다섯'], ['여섯'], ['일곱'], ['여덟'], ['아홉'], ['열'], ['열한'], ['열두']];
const KOREAN_NUMBERS = ['일', '이', '삼', '사', '오', '육', '칠', '팔', '구', '십', '십일', '십이'];
const ENGLISH_COUNTS = [['a', 'an', 'one'], ['two'], ['three'], ['four'], ['five'], ['six'], ['seven'], ['eight'], ['nine'], ['ten'], ['eleven'], ['twelve']];
/** So many days in one word. */
const KOREAN_DAYS: Record<string, number> = { 하루: 1, 이틀: 2, 사흘: 3, 나흘: 4, 닷새: 5, 엿새: 6, 이레: 7, 여드레: 8, 아흐레: 9, 열흘: 10, 열하루: 11, 열이틀: 12, 보름: 15 };

export const KOREAN_COUNT = either([...KOREAN_UNITS.flat(), ...KOREAN_NUMBERS]);
export const KOREAN_COUNTED_DAYS = either(Object.keys(KOREAN_DAYS));
export const ENGLISH_COUNT = either(ENGLISH_COUNTS.flat());
export const ENGLISH_UNIT = 'day|week|fortnight|month|year';

const DIGITS = '\\d{1,3}(?:\\s?[~–-]\\s?\\d{1,3})?';
const SOME = '몇|두세|두어|서너|너댓|네댓|대여섯';
/** How long something lasts or is away; that nobody knows how long makes it no less of one. */
export const KOREAN_LENGTH = `(?:${KOREAN_COUNTED_DAYS}|며칠|반\\s?년|(?:${DIGITS}|몇|${either(KOREAN_NUMBERS)})\\s?일|(?:${DIGITS}|${SOME}|${KOREAN_COUNT})\\s?(?:주일?|달|개월|년|해))(?:\\s?반)?`;
/** The same where nothing behind it says that it is one: some are as often other words, such as oil, a sale or this thing. */
export const BARE_KOREAN_LENGTH = `(?!(?:${either(KOREAN_NUMBERS)})(?:\\s?일|주|달|해)$)${KOREAN_LENGTH}`;
export const ENGLISH_LENGTH = `(?:\\d{1,3}|${ENGLISH_COUNT}|(?:a )?few|several|(?:a )?couple(?: of)?) (?:${ENGLISH_UNIT})s?`;

/** The place of a weekday in its week, 0 for Monday, by its Korean letter or by an English name; -1 for any other text. */
export function weekdayNumber(name = ''): number {
  const korean = [...KOREAN_WEEKDAYS].indexOf(name);
  return korean >= 0 ? korean : WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase() as Weekday);
}

/** The number of a month by its English name, 1 for January; 0 for any other text. */
export function monthNumber(name = ''): number {
  return name.length < 3 ? 0 : MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3).toLowerCase())) + 1;
}

/** How many a count says, by its words in either language or its digits. */
export function countNumber(count = ''): number {
  const word = count.toLowerCase();
  const place = Math.max(...[KOREAN_UNITS, ENGLISH_COUNTS].map((counts) => counts.findIndex((words) => words.includes(word))), KOREAN_NUMBERS.indexOf(word));
  return place >= 0 ? place + 1 : Number(word);
}

/** How many days such a word says. */
export function daysNumber(word = ''): number {
  return KOREAN_DAYS[word] ?? NaN;
}
