/** How a repetition and a reminder are said in the language that is chosen now. */

import { currentLanguage, t } from '../../lib/i18n.svelte';
import { dateTime } from '../../lib/say';
import { isWorkdays, LAST_DAY, LAST_WEEK, someDayOf } from './repeats';
import type { NewRepeat, Repeat, Todo, Weekday } from './types';

/** The time of a day without one, from which a reminder is counted. */
const MORNING = '09:00';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const locale = () => (currentLanguage() === 'ko' ? 'ko-KR' : 'en-US');

/** A weekday: 월, Mon. */
export function weekdayName(weekday: Weekday, weekdayStyle: 'short' | 'long' = 'short'): string {
  return new Intl.DateTimeFormat(locale(), { weekday: weekdayStyle, timeZone: 'UTC' }).format(new Date(`${someDayOf(weekday)}T00:00:00Z`));
}

/** 월·목요일, Mon, Thu. */
function weekdaysName(weekdays: Weekday[]): string {
  if (currentLanguage() !== 'ko') return weekdays.map((one) => weekdayName(one)).join(', ');
  return weekdays.map((one, place) => weekdayName(one, place === weekdays.length - 1 ? 'long' : 'short')).join('·');
}

/** 매주 월·목요일, every 2 weeks on Mon, Thu. */
export function repeatName(repeat: NewRepeat | Repeat): string {
  const count = repeat.interval ?? 1;
  const every = count === 1 ? t(`todos.repeat.one.${repeat.every}`) : t(`todos.repeat.many.${repeat.every}`, { count });
  const weekdays = repeat.weekdays ?? [];
  const said = isWorkdays(repeat) ? t('todos.repeat.workdays') : [every, on(repeat, weekdays)].filter(Boolean).join(' ');
  return repeat.from === 'done' ? t('todos.repeat.from_done', { repeat: said }) : said;
}

function on({ every, day, week, month }: NewRepeat | Repeat, weekdays: Weekday[]): string {
  if (every === 'week') return weekdays.length === 0 ? '' : t('todos.repeat.on.weekdays', { days: weekdaysName(weekdays) });
  if (every === 'day') return '';
  const first = weekdays[0];
  const inMonth = month ? monthName(month) : '';
  if (week && first) {
    const name = t(`todos.repeat.week.${Math.min(week, LAST_WEEK) as 1 | 2 | 3 | 4 | 5}`);
    return t('todos.repeat.on.week', { month: inMonth, week: name, weekday: weekdayName(first, 'long') }).replace(/\s+/g, ' ').trim();
  }
  if (!day) return '';
  if (every === 'year') return t('todos.repeat.on.date', { month: inMonth, day });
  return day === LAST_DAY ? t('todos.repeat.on.last') : t('todos.repeat.on.day', { day });
}

function monthName(month: number): string {
  return new Intl.DateTimeFormat(locale(), { month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2026, month - 1, 1)));
}

/** How long before its time it is brought to mind: 10분 전, 1 hour before; of a day without a time, when. */
export function reminderName(minutes: number, hasTime: boolean): string {
  if (!hasTime) return clockName(minutes);
  if (minutes === 0) return t('todos.remind.at_time');
  const [count, unit] = minutes % 1_440 === 0 ? ([minutes / 1_440, 'days'] as const) : minutes % 60 === 0 ? ([minutes / 60, 'hours'] as const) : ([minutes, 'minutes'] as const);
  return t(`todos.remind.${unit}`, { count });
}

/** When it is brought to mind before a day without a time, by the clock: 전날 20:00, 2 days before, 09:00. */
function clockName(minutes: number): string {
  const at = Date.UTC(1970, 0, 1, Number(MORNING.slice(0, 2))) - minutes * MINUTE_MS;
  const time = new Date(at).toISOString().slice(11, 16);
  const count = -Math.floor(at / DAY_MS);
  if (count === 0) return t('todos.remind.that_day', { time });
  return count === 1 ? t('todos.remind.day_before', { time }) : t('todos.remind.days_before', { count, time });
}

/** When it is brought to mind next: as its rule says, or the day and the time where it was put off. Empty when it is not. */
export function nextReminderName({ due, time, remind_before, remind_at }: Todo): string {
  if (remind_at === null) return '';
  const ruled = remind_before === null ? NaN : Date.parse(`${due}T${time ?? MORNING}:00+09:00`) - remind_before * MINUTE_MS;
  return remind_before !== null && Date.parse(remind_at) === ruled ? reminderName(remind_before, time !== null) : dateTime(remind_at);
}
