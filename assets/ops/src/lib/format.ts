/** Numbers, money, days and durations as people write them in Korean and in English. Pure: the language is an argument. */

import type { Language } from './i18n.svelte';
import { MINUS, number } from './number';
import type { Day, Instant } from './schema';
import { date, dateTime, dayOf, ZONE } from './when';

export { bytes, number } from './number';
export { date, dateTime, dayOf, moment, time, ZONE } from './when';

const DAY_MS = 86_400_000;

/** A share of one as percent: `percent(0.5, 1)` is `50.0%`. */
export function percent(share: number, digits = 1): string {
  return `${number(share * 100, digits)}%`;
}

/** An exact sum in won: `128,450,300원`, `₩128,450,300`. */
export function won(value: number, language: Language): string {
  if (language === 'ko') return `${number(Math.round(value))}원`;
  return `${value < 0 ? MINUS : ''}₩${number(Math.abs(Math.round(value)))}`;
}

/** A change in won with its sign: `+45,000원`, `−5,000원`, `0원`. */
export function signedWon(value: number, language: Language): string {
  return (value > 0 ? '+' : '') + won(value, language);
}

/** A large sum as people say it, rounded to 만 (10,000): `30억 651만 원`, `₩3.01 billion`. Below 10,000 won it is exact. */
export function wonInWords(value: number, language: Language): string {
  const size = Math.abs(value);
  if (size < 10_000) return won(value, language);
  const sign = value < 0 ? MINUS : '';
  if (language === 'en') return sign + englishWon(size);
  const tenThousands = Math.round(size / 10_000);
  const units = [
    { name: '조', of: 100_000_000 },
    { name: '억', of: 10_000 },
    { name: '만', of: 1 },
  ];
  let rest = tenThousands;
  const parts: string[] = [];
  for (const { name, of } of units) {
    const count = Math.floor(rest / of);
    rest -= count * of;
    if (count > 0) parts.push(`${number(count)}${name}`);
  }
  return `${sign}${parts.slice(0, 2).join(' ')} 원`;
}

function englishWon(size: number): string {
  if (size < 999_995) return `₩${number(Math.round(size))}`;
  const [of, name] = size < 999_995_000 ? [1e6, 'million'] : size < 999_995_000_000 ? [1e9, 'billion'] : [1e12, 'trillion'];
  return `₩${new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }).format(size / of)} ${name}`;
}

/** A day without its weekday: `10월 10일`, `Oct 10`, with the year when that is not the current one. */
export function shortDate(day: Day, language: Language, today: Day = dayOf(Date.now())): string {
  const sameYear = day.slice(0, 4) === today.slice(0, 4);
  if (language === 'ko') {
    const [year, month, dayOfMonth] = day.split('-').map(Number);
    return `${sameYear ? '' : `${year}년 `}${month}월 ${dayOfMonth}일`;
  }
  return new Intl.DateTimeFormat('en-US', {
    timeZone: ZONE, month: 'short', day: 'numeric', ...(sameYear ? {} : { year: 'numeric' }),
  }).format(new Date(`${day}T12:00:00+09:00`));
}

/** The month of a day: `2026년 11월`, `Nov 2026`. */
export function month(day: Day, language: Language): string {
  const [year, of] = day.split('-').map(Number);
  if (language === 'ko') return `${year}년 ${of}월`;
  return new Intl.DateTimeFormat('en-US', { timeZone: ZONE, month: 'short', year: 'numeric' }).format(new Date(`${day}T12:00:00+09:00`));
}

/** A due day as people say it: today, tomorrow, yesterday, otherwise the day with its weekday. */
export function due(day: Day, language: Language, today: Day = dayOf(Date.now())): string {
  const names = language === 'ko' ? ['어제', '오늘', '내일'] : ['Yesterday', 'Today', 'Tomorrow'];
  return names[daysBetween(today, day) + 1] ?? date(day, language, today);
}

/** Whole days from one day to another; negative when the other is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** A clock that says this much less than another has been set back, or the other was ahead. */
const AHEAD_MINUTES = 60;

/**
 * How long ago: `방금`, `12분 전`, `3시간 전`, `5일 전`; the instant itself belongs into a tooltip. What a clock that ran far ahead
 * has noted is said by that instant: it would be just now for as long as the clock ran ahead.
 */
export function age(instant: Instant, language: Language, now: number = Date.now()): string {
  const minutes = Math.floor((now - new Date(instant).getTime()) / 60_000);
  if (minutes < -AHEAD_MINUTES) return dateTime(instant, language, dayOf(now));
  if (minutes < 1) return language === 'ko' ? '방금' : 'just now';
  const [count, unit] = minutes < 60 ? [minutes, 0] : minutes < 48 * 60 ? [Math.floor(minutes / 60), 1] : [Math.floor(minutes / 1440), 2];
  if (language === 'ko') return `${number(count)}${['분', '시간', '일'][unit]} 전`;
  return `${number(count)} ${['min', 'h', count === 1 ? 'day' : 'days'][unit]} ago`;
}

/** The two largest parts of a wait or a duration in milliseconds: `1일 6시간`, `6시간 5분`, `12분`, `30초`. */
export function duration(milliseconds: number, language: Language): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const sizes = [86_400, 3_600, 60, 1];
  const names = language === 'ko' ? ['일', '시간', '분', '초'] : [' d', ' h', ' min', ' s'];
  const first = sizes.findIndex((size) => seconds >= size);
  if (first === -1) return `0${names[3]}`;
  const last = first >= 2 ? first : first + 1;
  let rest = seconds;
  const parts: string[] = [];
  for (let index = first; index <= last; index += 1) {
    const count = Math.floor(rest / sizes[index]!);
    rest -= count * sizes[index]!;
    if (count > 0) parts.push(`${count}${names[index]}`);
  }
  return parts.join(' ');
}

/** A short measured time: `31 ms`, `1.2 s` (`31밀리초` is nobody's habit; both languages write the symbols). */
export function elapsed(milliseconds: number): string {
  return milliseconds < 1000 ? `${number(Math.round(milliseconds))} ms` : `${number(milliseconds / 1000, 1)} s`;
}

/** A day at the axis of a chart, by what is told apart there: `11월 3일`, `11월`, `2026년`; `Nov 3`, `Nov`, `2026`. */
export function axisDay(day: Day, unit: 'day' | 'month' | 'year', language: Language): string {
  // Without its year also where that is another.
  if (unit === 'day') return shortDate(day, language, day);
  const [year, month] = day.split('-').map(Number);
  if (unit === 'year') return language === 'ko' ? `${year}년` : String(year);
  return language === 'ko' ? `${month}월` : shortDate(day, 'en', day).split(' ')[0]!;
}
