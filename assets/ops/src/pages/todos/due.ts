/** Reads a due day out of a line as people type it, in Korean or English. Pure: today is an argument. */

import type { Day } from '../../lib/schema';

export type Reading = {
  /** The line without the words of the day. */
  title: string;
  due: Day;
};

const DAY_MS = 86_400_000;
/** Sunday first, as JavaScript counts. */
const WEEKDAYS: [string, string][] = [
  ['일요일', 'sunday|sun'], ['월요일', 'monday|mon'], ['화요일', 'tuesday|tue'], ['수요일', 'wednesday|wed'],
  ['목요일', 'thursday|thu'], ['금요일', 'friday|fri'], ['토요일', 'saturday|sat'],
];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** After a Korean day: "까지", "에", "까지는"; before an English one: "by", "on", "until". */
const KOREAN_END = '(?:까지는|까지|에는|에)?';
const ENGLISH_START = '(?:(?:by|on|until|due)\\s+)?';

/** The day that the line begins or ends with, and the rest of it; undefined when there is none or nothing would be left. */
export function readDue(line: string, today: Day): Reading | undefined {
  const text = line.trim().replace(/\s+/g, ' ');
  for (const { pattern, day } of phrases(today)) {
    for (const placed of [`^${pattern}[,:]?\\s+(?<rest>.+)$`, `^(?<rest>.+?)\\s+${pattern}$`]) {
      const groups = new RegExp(placed, 'iu').exec(text)?.groups;
      const due = groups && day(groups);
      if (due && groups['rest']) return { title: groups['rest'].trim(), due };
    }
  }
  return undefined;
}

/** The day some days after another. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The next such weekday after today, today itself excluded; 0 is Sunday. */
export function nextWeekday(today: Day, weekday: number): Day {
  const ahead = (weekday - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7;
  return addDays(today, ahead === 0 ? 7 : ahead);
}

type Phrase = { pattern: string; day: (groups: Record<string, string | undefined>) => Day | undefined };

function phrases(today: Day): Phrase[] {
  const fixed = (korean: string, english: string, due: Day): Phrase =>
    ({ pattern: `(?:(?:${korean})${KOREAN_END}|${ENGLISH_START}(?:${english}))`, day: () => due });
  return [
    fixed('오늘', 'today', today),
    fixed('내일모레|모레', 'day after tomorrow', addDays(today, 2)),
    fixed('내일', 'tomorrow|tmr', addDays(today, 1)),
    fixed('글피', 'in three days', addDays(today, 3)),
    fixed('다음\\s?주', 'next week', nextWeekday(today, 1)),
    ...WEEKDAYS.map(([korean, english], weekday) => fixed(korean, english, nextWeekday(today, weekday))),
    { pattern: '(?<days>\\d{1,3})일\\s?(?:뒤|후)(?:까지|에)?', day: ({ days }) => addDays(today, Number(days)) },
    { pattern: 'in (?<count>\\d{1,3}) days?', day: ({ count }) => addDays(today, Number(count)) },
    { pattern: `${ENGLISH_START}(?<iso>\\d{4}-\\d{2}-\\d{2})${KOREAN_END}`, day: ({ iso }) => (iso && isDay(iso) ? iso : undefined) },
    { pattern: `${ENGLISH_START}(?<m>\\d{1,2})\\/(?<d>\\d{1,2})${KOREAN_END}`, day: ({ m, d }) => comingDay(today, Number(m), Number(d)) },
    { pattern: `(?<m>\\d{1,2})월\\s?(?<d>\\d{1,2})일${KOREAN_END}`, day: ({ m, d }) => comingDay(today, Number(m), Number(d)) },
    { pattern: `${ENGLISH_START}(?<name>${MONTHS.join('|')})[a-z]*\\.? (?<d>\\d{1,2})`, day: ({ name, d }) => comingDay(today, MONTHS.indexOf((name ?? '').toLowerCase()) + 1, Number(d)) },
  ];
}

/** That day of this year, or of the next when it has passed; undefined when there is no such day. */
function comingDay(today: Day, month: number, dayOfMonth: number): Day | undefined {
  const year = Number(today.slice(0, 4));
  const days = [year, year + 1]
    .map((of) => `${of}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`)
    .filter(isDay);
  return days.find((day) => day >= today);
}

function isDay(text: string): boolean {
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 10) === text;
}
