/** How days of the week and months are named where they are typed, in Korean and English. */

import type { Weekday } from './types';

/** Monday first, as weeks begin. */
export const WEEKDAYS: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** Their letters in Korean, in the same order. */
export const KOREAN_WEEKDAYS = '월화수목금토일';
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The place of a weekday in its week, 0 for Monday, by its Korean letter or by an English name; -1 for any other text. */
export function weekdayNumber(name = ''): number {
  const korean = [...KOREAN_WEEKDAYS].indexOf(name);
  return korean >= 0 ? korean : WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase() as Weekday);
}

/** The number of a month by its English name, 1 for January; 0 for any other text. */
export function monthNumber(name = ''): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}
