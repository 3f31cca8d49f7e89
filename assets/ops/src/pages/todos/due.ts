/**
 * Reads a due day out of a line as people type it, in Korean or English. Pure: today is an argument. What each phrase means
 * stands in `due.test.ts`: weeks begin on Monday, "next" is of the next week, a period is due with its last day where it
 * is a limit ("다음 주까지") and with its first where it is not ("다음 주"), and what has passed is no due day.
 */

import type { Day } from '../../lib/schema';
import { NewTodo } from '../../bounds/todos';
import {
  countNumber, daysNumber, either, ENGLISH_COUNT, ENGLISH_MONTH, ENGLISH_UNIT, ENGLISH_WEEKS, KOREAN_COUNT, KOREAN_COUNTED_DAYS, KOREAN_WEEKDAYS, KOREAN_WEEKS,
  monthNumber, SHORT_WEEKDAY, SHORT_WEEKEND, SHORT_WORKDAY, WEEKDAY_ENDING, weekdayNumber, WHOLE_WEEKDAY,
} from './day-names';
import { addDays, addMonths, dayIn, isDay, lastOfMonth, mondayOf, monthOf, weekdayOf } from './days';
import { belongsToMore, namesAnother, namesPart, saysMore, turnsTime } from './half-read';
import { afterToday, dayOfWeek, LAST_DAY, REPEATS, type Repeating } from './repeats';
import { namesTime, PARTS_OF_DAY, readTime, TIME } from './times';
import type { NewRepeat } from './types';

export type Reading = {
  /** The line without the words of the day. */
  title: string;
  due: Day;
  /** The time of the day, `15:00`. */
  time?: string;
  repeat?: NewRepeat;
};

type Groups = Record<string, string | undefined>;
/** `isSpan`: its day stands for several. `isDate`: its weekday may stand beside it, and is to be that of the day. */
type Phrase = { pattern: string; day: (groups: Groups, today: Day) => Day | Repeating | undefined; isSpan?: true; isDate?: true };

/** After a Korean day. */
const AT = '(?:까지는|까지|에는|에|\\s?중(?:으로|에)?(?![\\p{L}\\p{N}]|\\s?\\d))?';
/** After a Korean period: it is a limit. */
const WITHIN = '(?<limit>까지는|까지|\\s?(?:안에|안으로|내로|내에|중에|중으로|중(?![\\p{L}\\p{N}]|\\s?\\d)))';
/** Before an English day. */
const ON = '(?:(?:by|on|until|till|due|before)\\s+)?(?:the\\s+)?';
const KOREAN_WEEKDAY = `(?<weekday>[${KOREAN_WEEKDAYS}])${WEEKDAY_ENDING}`;
const ENGLISH_WEEKDAY = `(?<weekday>${WHOLE_WEEKDAY}|(?:${SHORT_WEEKDAY})\\.?)`;
const MONTH = `(?<month>${ENGLISH_MONTH})`;
const COUNT = `(?<count>\\d{1,3}|${ENGLISH_COUNT})`;
const MANY = `(?<count>\\d{1,2}|${KOREAN_COUNT})`;
const AGO = '\\s?(?:뒤|후)(?:까지|에)?';
const AFTER_NEXT = '다다음|다음\\s?다음';
const WEEKS = '(?<unit>week|fortnight)s?(?: time)?';
/** What makes a number before it an amount. */
const AMOUNT = '(?!\\s*(?:컵|큰술|작은술|스푼|공기|조각|인분|마리|판|통|병|개|km|kg|g|m|miles?|cups?|tsp|tbsp|people|persons?|times|things|items|pages)(?![\\p{L}\\p{N}]))';
/** What makes a day of a bare number before it: the end, its weekday, a time. Anything else is counted by it, unless it is Korean. */
const ALONE = `(?=$|[,:]|\\s(?:${WHOLE_WEEKDAY}|${SHORT_WORKDAY})(?!\\p{L})|\\s?\\((?:${WHOLE_WEEKDAY}|${SHORT_WEEKDAY})\\)|\\s(?!${PARTS_OF_DAY})${TIME.replace('?<time>', '?:')}(?![\\p{L}\\p{N}])|\\s\\p{Script=Hangul})`;
/** The weekday of a date, before it and behind it. */
const BESIDE_BEFORE = `(?:${ON}(?:(?<besideBefore>[${KOREAN_WEEKDAYS}])${WEEKDAY_ENDING}|(?<besideFirst>(?:${WHOLE_WEEKDAY}|${SHORT_WEEKDAY})\\.?)),?\\s)?`;
const BESIDE_BEHIND = `(?:\\s?\\((?<besideIn>[${KOREAN_WEEKDAYS}](?=${WEEKDAY_ENDING}\\)|\\))|${WHOLE_WEEKDAY}|${SHORT_WEEKDAY})${WEEKDAY_ENDING}?\\)${AT}|\\s?(?<besideBehind>[${KOREAN_WEEKDAYS}])${WEEKDAY_ENDING}${AT}|,?\\s(?<besideLast>${WHOLE_WEEKDAY}|${SHORT_WORKDAY})(?!\\p{L}))?`;
const PHRASES: Phrase[] = [
  { pattern: `오늘${AT}|${ON}(?:today|tonight)`, day: (_, today) => today, isDate: true },
  { pattern: `(?:내일\\s?모레|낼\\s?모레|모레)${AT}|${ON}(?:day after tomorrow|overmorrow)`, day: (_, today) => addDays(today, 2), isDate: true },
  { pattern: `내일${AT}|낼(?:까지는|까지)|${ON}(?:tomorrow|tmrw|tmr)`, day: (_, today) => addDays(today, 1), isDate: true },
  { pattern: `그글피${AT}`, day: (_, today) => addDays(today, 4), isDate: true },
  { pattern: `글피${AT}`, day: (_, today) => addDays(today, 3), isDate: true },

  { pattern: `(?<months>이번|다음|담|이)\\s?달\\s?(?<nth>${either(KOREAN_WEEKS)})(?:번?째)?\\s?주?\\s?${KOREAN_WEEKDAY}${AT}`, day: weekdayOfMonth },
  { pattern: `${ON}(?<nth>${either(ENGLISH_WEEKS)}) (?<weekday>${WHOLE_WEEKDAY}) (?:of|in) (?<months>next|this) month`, day: weekdayOfMonth },
  { pattern: `${MANY}\\s?주일?\\s?(?:뒤|후)(?:에|의)?\\s?${KOREAN_WEEKDAY}${AT}`, day: weekdayOfLaterWeek },
  { pattern: `in ${COUNT} ${WEEKS} (?:on )?${ENGLISH_WEEKDAY}`, day: weekdayOfLaterWeek },
  { pattern: `${COUNT} ${WEEKS} from (?:now|today) (?:on )?${ENGLISH_WEEKDAY}`, day: weekdayOfLaterWeek },
  { pattern: `${ON}${ENGLISH_WEEKDAY} (?:in ${COUNT} ${WEEKS}|${COUNT.replace('count', 'number')} ${WEEKS.replace('unit', 'units')} from (?:now|today))`, day: weekdayOfLaterWeek },
  { pattern: `(?<week>이번|${AFTER_NEXT}|다음|담)\\s?주\\s?${KOREAN_WEEKDAY}${AT}`, day: weekdayOfWeek },
  { pattern: `(?<week>이번|다음)\\s${KOREAN_WEEKDAY}${AT}`, day: weekdayOfWeek },
  { pattern: `${ON}${ENGLISH_WEEKDAY}\\s(?<week>this|next)\\sweek`, day: weekdayOfWeek },
  { pattern: `${ON}(?<week>this|next)\\s${ENGLISH_WEEKDAY}`, day: weekdayOfWeek },
  { pattern: `${ON}(?<week>this|next)\\sweek(?:\\son)?\\s${ENGLISH_WEEKDAY}`, day: weekdayOfWeek },
  { pattern: `${ON}(?<week>week after next)`, day: ({ week }, today) => weekStart(week, today), isSpan: true },
  { pattern: `(?:(?<week>이번|다음)\\s?주?\\s?)?주말(?<limit>까지는|까지)?(?:에)?`, day: weekend },
  { pattern: `${ON}(?<week>this|next)?\\s?weekend`, day: weekend },
  { pattern: `(?<week>이번|${AFTER_NEXT}|다음|담)\\s?주${WITHIN}`, day: weekEnd },
  { pattern: `(?<week>이번)\\s?주(?!\\s?[${KOREAN_WEEKDAYS}]${WEEKDAY_ENDING})`, day: weekEnd, isSpan: true },
  { pattern: `(?<week>${AFTER_NEXT}|다음|담)\\s?주(?:에는|에)?`, day: ({ week }, today) => weekStart(week, today), isSpan: true },
  { pattern: `(?:by|until|before)\\s(?:the\\s)?(?:end of\\s)?(?:the\\s)?(?<week>this|next)\\sweek`, day: weekEnd },
  { pattern: `${ON}end of (?:the |this )?week|this week`, day: (_, today) => weekEnd({ week: 'this' }, today), isSpan: true },
  { pattern: `${ON}end of (?<week>next) week`, day: weekEnd },
  { pattern: `(?<week>next) week`, day: ({ week }, today) => weekStart(week, today), isSpan: true },
  { pattern: `(?:(?:오는|돌아오는)\\s)?${KOREAN_WEEKDAY}${AT}`, day: comingWeekday },
  { pattern: `${ON}(?:coming\\s)?(?<weekday>${WHOLE_WEEKDAY}|(?:${SHORT_WORKDAY})\\.?)`, day: comingWeekday },
  { pattern: `(?:by|on|until|till|due|before|coming)\\s(?<weekday>${SHORT_WEEKEND})`, day: comingWeekday },

  { pattern: `(?<months>이번|다음|담|이)\\s?달\\s?말일?${AT}`, day: (groups, today) => monthEnd(monthsAhead(groups), today) },
  { pattern: `${ON}last day of (?<months>next|this|the) month`, day: (groups, today) => monthEnd(monthsAhead(groups), today) },
  { pattern: `(?<![월달년해]\\s)(?:월말|말일)${AT}|${ON}(?:end of (?:the |this )?month|eom)`, day: (_, today) => monthEnd(0, today) },
  { pattern: `${ON}end of next month`, day: (_, today) => monthEnd(1, today) },
  { pattern: `(?:(?:올해|금년)\\s?말|연말)${AT}|${ON}end of (?:the |this )?year`, day: (_, today) => `${today.slice(0, 4)}-12-31` },
  { pattern: `(?<months>이번|다음|담|이)\\s?달\\s?(?<day>\\d{1,2})일${AT}`, day: dayOfThatMonth, isDate: true },
  { pattern: `${ON}(?<day>\\d{1,2})(?:st|nd|rd|th) of (?<months>next|this) month`, day: dayOfThatMonth, isDate: true },
  { pattern: `${ON}(?<months>next|this) month,? (?:on )?(?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th|(?<=(?:on|the) \\d{1,2})|${ALONE})${AMOUNT}`, day: dayOfThatMonth, isDate: true },
  { pattern: `(?<months>이번|다음|담|이)\\s?달${WITHIN}`, day: (groups, today) => monthEnd(monthsAhead(groups), today) },
  { pattern: `(?:다음|담)\\s?달(?:에는|에)?|${ON}next month`, day: (_, today) => addMonths(monthOf(today), 1), isSpan: true },

  { pattern: `(?<count>\\d{1,3})일${AGO}`, day: ({ count }, today) => addDays(today, Number(count)) },
  { pattern: `(?<count>${KOREAN_COUNTED_DAYS})${AGO}`, day: ({ count }, today) => addDays(today, daysNumber(count)) },
  { pattern: `${MANY}\\s?주일?${AGO}`, day: ({ count }, today) => addDays(today, 7 * countNumber(count)), isSpan: true },
  { pattern: `${MANY}\\s?(?:달|개월)${AGO}`, day: ({ count }, today) => addMonths(today, countNumber(count)), isSpan: true },
  { pattern: `${MANY}\\s?년${AGO}`, day: ({ count }, today) => addMonths(today, 12 * countNumber(count)), isSpan: true },
  { pattern: `(?:in ${COUNT} (?<unit>${ENGLISH_UNIT})s?|${COUNT.replace('count', 'number')} (?<units>${ENGLISH_UNIT})s? from (?<from>now|today|tomorrow))`, day: fromNow, isSpan: true },

  { pattern: `${ON}(?<iso>\\d{4}-\\d{2}-\\d{2})${AT}`, day: ({ iso }, today) => notPast(iso, today), isDate: true },
  { pattern: `${ON}(?<year>\\d{4})(?:\\.\\s?|\\/)(?<m>\\d{1,2})(?:\\.\\s?|\\/)(?<day>\\d{1,2})\\.?${AT}`, day: wholeDay, isDate: true },
  { pattern: `(?<year>\\d{4}|내년|올해)년?\\s?(?<m>\\d{1,2})월\\s?(?<day>\\d{1,2})일${AT}`, day: wholeDay, isDate: true },
  { pattern: `(?<m>\\d{1,2})월\\s?(?<day>\\d{1,2})일${AT}`, day: comingDay, isDate: true },
  { pattern: `(?<m>\\d{1,2})월\\s?(?<part>초|말)(?:(?<=말)일)?${AT}`, day: partOfMonth },
  // Without an ending it is as often a length: a leave of three days.
  { pattern: '(?<day>\\d{1,2})일(?:까지는|까지|에는|에)', day: comingDayOfMonth },
  { pattern: `(?<day>\\d{1,2})일\\s?(?:\\((?<besideIn>[${KOREAN_WEEKDAYS}])\\)|(?<besideBehind>[${KOREAN_WEEKDAYS}])${WEEKDAY_ENDING})${AT}`, day: comingDayOfMonth },
  { pattern: `${ON}(?<m>0?[1-9]|1[0-2])\\/(?<day>0?[1-9]|[12]\\d|3[01])(?![\\/\\d])${AMOUNT}${AT}`, day: comingDay, isDate: true },
  { pattern: `${ON}${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\\d{4}))?${AMOUNT}`, day: namedDay, isDate: true },
  { pattern: `${ON}(?<day>\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?: (?<year>\\d{4}))?`, day: namedDay, isDate: true },
  { pattern: '(?:by|on|until|till|due|before) the (?<day>\\d{1,2})(?:st|nd|rd|th)', day: comingDayOfMonth },
];

/** For so long there may be no 29 February: from 2096 to 2104. */
const LONGEST_WAIT_YEARS = 8;
/** How many days the beginning of a month has. */
const BEGINNING = 10;

/** Where the words of a day stand: they begin the line or end it, a time beside them or `isBetween` them and the rest. */
const PLACES: { around: (pattern: string) => string; isAtStart: boolean; isBetween?: true }[] = [
  { around: (pattern) => `^(?:${pattern})(?:\\s+${TIME})?[,:]?\\s+(?<rest>.+)$`, isAtStart: true, isBetween: true },
  { around: (pattern) => `^(?<rest>.+?)\\s+${TIME}\\s+(?:${pattern})$`, isAtStart: false, isBetween: true },
  { around: (pattern) => `^(?<rest>.+?)\\s+(?:${pattern})(?:\\s+${TIME})?$`, isAtStart: false },
  { around: (pattern) => `^${TIME}\\s+(?:${pattern})[,:]?\\s+(?<rest>.+)$`, isAtStart: true },
];

/** A longer line is no title with a day, and would take long to look through. */
const LONGEST_LINE = 2 * NewTodo.title.maxLength;

const ALL: Phrase[] = [...REPEATS, ...PHRASES];
/** Most phrases do not occur in a line at all: their places need not be looked at. */
const READERS = ALL.map(({ pattern, isDate, ...phrase }) => ({
  occurs: new RegExp(pattern, 'iu'),
  places: PLACES.map(({ around, ...place }) => (
    { ...phrase, ...place, reads: new RegExp(around(isDate ? `${BESIDE_BEFORE}(?:${pattern})${BESIDE_BEHIND}` : pattern), 'iu') })),
}));
const ANOTHER = namesAnother(ALL.map(({ pattern }) => pattern));
/** It belongs to the day before it, and is no title. */
const ONLY_WITHIN = /^중(?:으로|에)?$/u;
const ONLY_TIME = new RegExp(`^${TIME}$`, 'iu');
const TIMES_ALONE = [{ isAtStart: true, reads: new RegExp(`^${TIME}[,:]?\\s+(?<rest>.+)$`, 'iu') }, { isAtStart: false, reads: new RegExp(`^(?<rest>.+?)\\s+${TIME}$`, 'iu') }];

/**
 * The day that the line begins or ends with, and the rest of it, which names no other; undefined when there is none, when it
 * cannot be read whole, or when nothing would be left. A time without a day is of today, or of tomorrow once it is past `now`;
 * what repeats begins with the first time that is not past.
 */
export function readDue(line: string, today: Day, now = '00:00'): Reading | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const text = line.trim().replace(/\s+/g, ' ');
  for (const { reads, day, isSpan, isAtStart, isBetween } of READERS.flatMap(({ occurs, places }) => (occurs.test(text) ? places : []))) {
    const groups = reads.exec(text)?.groups;
    const found = groups && day(groups, today);
    const rest = groups?.['rest']?.trim();
    if (!found || !rest || ONLY_WITHIN.test(rest) || !agrees(found, groups)) continue;
    const read = text.slice(0, -rest.length);
    const isWhole = (left: string) => !ANOTHER(left) && !(typeof found === 'string'
      ? belongsToMore(left, isAtStart, read) || (isSpan && namesPart(left, isAtStart))
      : saysMore(left, isAtStart, read, found.repeat.every === 'day'));
    const words = groups['time'];
    const time = words && !namesTime(rest) && isWhole(rest) ? readTime(words) : undefined;
    // A part of the day is no time, and not to be lost.
    const title = !words || time ? rest : isAtStart ? `${words} ${rest}` : `${rest} ${words}`;
    if (!isWhole(words && !isBetween ? rest : title)) continue;
    // A time away from its day stands at the other end of the line.
    const timed = words ? { title, ...(time ? { time } : {}) } : (takeTime(title) ?? { title });
    if (typeof found === 'string') return { ...timed, due: found };
    const isPast = timed.time !== undefined && found.due === today && timed.time <= now;
    return { ...timed, ...((isPast && afterToday(found, today)) || found) };
  }
  return readTimeAlone(text, today, now);
}

function readTimeAlone(text: string, today: Day, now: string): Reading | undefined {
  const read = takeTime(text);
  return read && !ANOTHER(read.title) ? { ...read, due: read.time > now ? today : addDays(today, 1) } : undefined;
}

/** The one time that a text begins or ends with, and the rest of it; undefined when there is none or nothing would be left. */
function takeTime(text: string): { title: string; time: string } | undefined {
  if (ONLY_TIME.test(text)) return undefined;
  for (const { reads, isAtStart } of TIMES_ALONE) {
    const { rest: title, time: words = '' } = reads.exec(text)?.groups ?? {};
    const time = readTime(words);
    if (title && time && !namesTime(title) && !turnsTime(title, isAtStart)) return { title, time };
  }
  return undefined;
}

/** Whether the weekdays that stand beside a day are its own. */
function agrees(found: Day | Repeating, groups: Groups): boolean {
  return Object.entries(groups).every(([name, weekday]) => weekday === undefined || !name.startsWith('beside')
    || (typeof found === 'string' && addDays(mondayOf(found), weekdayNumber(weekday)) === found));
}

function weekOf(week: string | undefined): number {
  if (week === undefined || week === '이번' || week === 'this') return 0;
  return /^(?:다다음|다음\s?다음|week after next)$/.test(week) ? 2 : 1;
}

function weekStart(week: string | undefined, today: Day): Day {
  return addDays(mondayOf(today), 7 * weekOf(week));
}

function weekEnd({ week }: Groups, today: Day): Day {
  return addDays(weekStart(week?.toLowerCase(), today), 6);
}

/** Such a day of the week so many weeks after this one. */
function weekdayOfLaterWeek({ weekday, ...groups }: Groups, today: Day): Day | undefined {
  const later = fromNow({ unit: 'week', ...groups }, today);
  return later && notPast(addDays(mondayOf(later), weekdayNumber(weekday)), today);
}

function weekdayOfWeek({ week, weekday }: Groups, today: Day): Day | undefined {
  return notPast(addDays(weekStart(week?.toLowerCase(), today), weekdayNumber(weekday)), today);
}

/** Saturday, or Sunday once that has come; a limit is always Sunday. */
function weekend({ week, limit }: Groups, today: Day): Day {
  const sunday = weekEnd({ week }, today);
  const saturday = addDays(sunday, -1);
  return limit || saturday < today ? sunday : saturday;
}

function comingWeekday({ weekday }: Groups, today: Day): Day {
  return nextWeekday(today, (weekdayNumber(weekday) + 1) % 7);
}

function monthsAhead({ months }: Groups): number {
  return ['다음', '담', 'next'].includes(months?.toLowerCase() ?? '') ? 1 : 0;
}

function weekdayOfMonth({ months, nth = '', weekday }: Groups, today: Day): Day | undefined {
  const week = Math.max(KOREAN_WEEKS.indexOf(nth), ENGLISH_WEEKS.indexOf(nth.toLowerCase())) + 1;
  return notPast(dayOfWeek(addMonths(monthOf(today), monthsAhead({ months })), week, weekdayNumber(weekday)), today);
}

/** Such a day of this month or the next: the 31st of one that is shorter is its last day, as what comes every month has it. */
function dayOfThatMonth({ day, ...groups }: Groups, today: Day): Day | undefined {
  const month = addMonths(monthOf(today), monthsAhead(groups));
  const isNone = Number(day) < 1 || Number(day) > LAST_DAY;
  return isNone ? undefined : notPast(dayIn(month, Number(day)) ?? lastOfMonth(month), today);
}

function monthEnd(ahead: number, today: Day): Day {
  return lastOfMonth(addMonths(monthOf(today), ahead));
}

function fromNow({ count, unit, number, units, from }: Groups, today: Day): Day | undefined {
  const many = countNumber(count ?? number);
  const start = from?.toLowerCase() === 'tomorrow' ? addDays(today, 1) : today;
  switch ((unit ?? units ?? '').toLowerCase()) {
    case 'day': return addDays(start, many);
    case 'week': return addDays(start, 7 * many);
    case 'fortnight': return addDays(start, 14 * many);
    case 'month': return addMonths(start, many);
    default: return addMonths(start, 12 * many);
  }
}

/** Such a day of such a month, of this year or of the next in which it is not past; undefined when there is none. */
function comingDay({ m, day }: Groups, today: Day): Day | undefined {
  const year = Number(today.slice(0, 4));
  const years = Array.from({ length: LONGEST_WAIT_YEARS + 1 }, (_, later) => year + later);
  return years.map((of) => dayOfYear(of, Number(m), Number(day))).find((one) => one !== undefined && one >= today);
}

function wholeDay({ year, m, day }: Groups, today: Day): Day | undefined {
  const thisYear = Number(today.slice(0, 4));
  const of = year === '내년' ? thisYear + 1 : year === '올해' ? thisYear : Number(year);
  return notPast(dayOfYear(of, Number(m), Number(day)), today);
}

function namedDay({ month, day, year }: Groups, today: Day): Day | undefined {
  const m = String(monthNumber(month));
  return year ? wholeDay({ year, m, day }, today) : comingDay({ m, day }, today);
}

/** The first day of its beginning, or today while that lasts; its last day. */
function partOfMonth({ m, part }: Groups, today: Day): Day | undefined {
  const year = Number(today.slice(0, 4));
  const firsts = [year, year + 1].flatMap((of) => dayOfYear(of, Number(m), 1) ?? []);
  if (part === '말') return firsts.map(lastOfMonth).find((one) => one >= today);
  const first = firsts.find((one) => addDays(one, BEGINNING - 1) >= today);
  return first !== undefined && first < today ? today : first;
}

/** The next day with this number: of this month, or of the first one that has it. */
function comingDayOfMonth({ day }: Groups, today: Day): Day | undefined {
  return [0, 1, 2].map((ahead) => dayIn(addMonths(monthOf(today), ahead), Number(day))).find((one) => one !== undefined && one >= today);
}

function dayOfYear(year: number, month: number, day: number): Day | undefined {
  const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return isDay(text) ? text : undefined;
}

function notPast(day: Day | undefined, today: Day): Day | undefined {
  return day !== undefined && isDay(day) && day >= today ? day : undefined;
}

/** The next such weekday after today, today itself excluded; 0 is Sunday. */
export function nextWeekday(today: Day, weekday: number): Day {
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  return addDays(today, ahead === 0 ? 7 : ahead);
}
