/** When something was, as people write it in Korean and in English: the part of the formats that the shell says. Pure: the language is an argument. */

import type { Language } from './i18n.svelte';
import type { Day, Instant } from './schema';

export const ZONE = 'Asia/Seoul';
const KST_OFFSET_MS = 9 * 3_600_000;

/** The day in Asia/Seoul at an instant. */
export function dayOf(instant: Instant | number | Date): Day {
  return new Date(new Date(instant).getTime() + KST_OFFSET_MS).toISOString().slice(0, 10);
}

/** A day with its weekday, and with its year when that is not the current one: `11월 20일 (금)`, `Fri, Nov 20`. */
export function date(day: Day, language: Language, today: Day = dayOf(Date.now())): string {
  const noon = new Date(`${day}T12:00:00+09:00`);
  const sameYear = day.slice(0, 4) === today.slice(0, 4);
  if (language === 'en') {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: ZONE, weekday: 'short', month: 'short', day: 'numeric', ...(sameYear ? {} : { year: 'numeric' }),
    }).format(noon);
  }
  const weekday = new Intl.DateTimeFormat('ko-KR', { timeZone: ZONE, weekday: 'short' }).format(noon);
  const [year, month, dayOfMonth] = day.split('-').map(Number);
  return `${sameYear ? '' : `${year}년 `}${month}월 ${dayOfMonth}일 (${weekday})`;
}

/** The time of day in Asia/Seoul: `20:35`. */
export function time(instant: Instant | number): string {
  return new Date(new Date(instant).getTime() + KST_OFFSET_MS).toISOString().slice(11, 16);
}

/** Day and time in Asia/Seoul: `11월 21일 (토) 20:35`. What is no instant of a year with four digits is said as it is written. */
export function dateTime(instant: Instant, language: Language, today?: Day): string {
  const year = new Date(new Date(instant).getTime() + KST_OFFSET_MS).getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) return instant;
  return `${date(dayOf(instant), language, today)} ${time(instant)}`;
}

/** When something was, in milliseconds since 1970: the time of the day, with the day before it when that is not today. */
export function moment(milliseconds: number, language: Language, now = Date.now()): string {
  const instant = new Date(milliseconds).toISOString();
  return dayOf(milliseconds) === dayOf(now) ? time(instant) : dateTime(instant, language, dayOf(now));
}
