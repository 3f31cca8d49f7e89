/** Finds what a line names of a day or a repetition beside what was read of it: half of it is worse than none. Pure. */

import { BARE_KOREAN_LENGTH, either, ENGLISH_LENGTH, ENGLISH_MONTH, ENGLISH_WEEKS, KOREAN_COUNT, KOREAN_LENGTH, KOREAN_WEEKDAYS, KOREAN_WEEKS, SHORT_WORKDAY, WEEKDAY_ENDING, WHOLE_WEEKDAY } from './day-names';

/** Between the parts of a list or a span. */
const JOINED = '\\s?[,·~/–-]\\s?';
const END = '(?![\\p{L}\\p{N}])';
const KOREAN_WEEK = `(?:${either(KOREAN_WEEKS)})(?:번?째)?`;

/** Days as they are named in both languages. */
const DAY_WORDS = [
  `(?:the )?\\d{1,2}(?:st|nd|rd|th)${END}`, `(?:the )?(?:${either(ENGLISH_WEEKS)})\\s(?:${WHOLE_WEEKDAY}|day|week|weekday|weekend)(?!\\p{L})`, `(?:${WHOLE_WEEKDAY}|(?:${SHORT_WORKDAY})\\.?)(?!\\p{L})`,
  `${ENGLISH_MONTH}\\s\\d{1,2}(?!\\d)`, `\\d{1,2}(?:st|nd|rd|th)? (?:of )?${ENGLISH_MONTH}(?!\\p{L})`, `weekdays?${END}`, `weekends?${END}`,
  `[${KOREAN_WEEKDAYS}]${WEEKDAY_ENDING}`, '\\d{1,2}월', '\\d{1,2}일(?!\\s?(?:치|간|차|동안))', '말일', '마지막\\s?(?:날|주|평일)', `${KOREAN_WEEK}\\s?(?:주|날|[${KOREAN_WEEKDAYS}]${WEEKDAY_ENDING})`, '\\d{1,2}\\/\\d{1,2}(?!\\d)',
].join('|');
/** Parts of a span of days, which no day stands for. */
const PARTS = `(?:초순?|상순|중순|중반|하순|말|평일|주말)(?:쯤|께|경|까지|부터|마다|에는|에)?${END}|음력|(?:early|late|mid|lunar)${END}`;
/** The first of several, which would not be a day alone. */
const LISTED = `(?:\\d{1,2}(?:일|월|주)?${JOINED}\\d|[${KOREAN_WEEKDAYS}]${WEEKDAY_ENDING}?${JOINED}[${KOREAN_WEEKDAYS}]|[${KOREAN_WEEKDAYS}](?:\\s[${KOREAN_WEEKDAYS}])+${END}|${KOREAN_WEEK}${JOINED})`;
const AND = '(?:and|or|및|또는|과|와)\\s';
const UNIT = '(?:매일|매주|매달|매월|매년|격주|\\d{1,2}[일주]마다|(?:every|each)(?: other| \\d{1,2}(?:st|nd|rd|th)?)?(?: (?:day|week|month|year)s?)?|daily|weekly|fortnightly|monthly|yearly|annually)';

/** What follows a repetition or a span of days and belongs to it. */
const GOES_ON = new RegExp(`^(?:on\\s|in (?:early |mid |late )?${ENGLISH_MONTH}(?!\\p{L})|(?:${AND})?(?:${DAY_WORDS}|${LISTED}))`, 'iu');
const PART_BEHIND = new RegExp(`^(?:${PARTS})`, 'iu');
/** What stands before a repetition and belongs to it. */
const CAME_BEFORE = new RegExp(`(?:^|[\\s,])(?:${DAY_WORDS})(?:과|와|,| and| or)?$`, 'iu');
/** What keeps a repetition from some of its days or counts them by the moon, wherever it stands. */
const OTHERWISE = /(?:^|[\s,])(?:except|excluding|unless|lunar)(?!\p{L})|제외|빼고|음력/iu;
/** What makes a repetition of the day behind it. */
const UNIT_BEFORE = new RegExp(`(?:^|\\s)${UNIT}(?: on)?\\s?[,·~/–-]?$`, 'iu');
/** What makes a repetition of the day before it. */
const UNIT_BEHIND = new RegExp(`^${UNIT}${END}`, 'iu');
/** The days of a list between it and the day. Taken off one by one: a list of any length is gone through once. */
const LAST_LISTED = new RegExp(`[\\s,·~/–-]+(?:${DAY_WORDS}|${PARTS}|${KOREAN_WEEK}|\\d{1,2}일?|[${KOREAN_WEEKDAYS}]${END}|and|or)\\s?[,·~/–-]?$`, 'iu');
const FIRST_LISTED = new RegExp(`^(?:${AND})?(?:${DAY_WORDS})[\\s,]+`, 'iu');
/** What stands before a day and makes another day of it, or a list. */
const BEFORE = new RegExp(`(?:^|\\s)(?:(?:${DAY_WORDS}|[${KOREAN_WEEKDAYS}]|\\d{1,2}일?)\\s?[,·~/–-]|음력|lunar|${KOREAN_WEEK}(?:\\s?주)?|(?:\\d{1,2}|${KOREAN_COUNT})\\s?번째(?:\\s?주)?|${either(ENGLISH_WEEKS)})$`, 'iu');
/** The beginning of a list of days, whose first one stands before it. */
const LIST_BEHIND = new RegExp(`^(?:${AND})?(?:${DAY_WORDS}|[${KOREAN_WEEKDAYS}](?:쯤|께|경)?${END})`, 'iu');
const JOINS_BEHIND = /[,·~/–-]\s*$/u;
const AND_BEHIND = new RegExp(`^${AND}(?:${DAY_WORDS})`, 'iu');
/** What stands before a span of days and is a part of it. */
const PART_BEFORE = new RegExp(`(?:^|\\s)(?:early|late|mid|beginning|middle|end|(?:\\S+ )?(?:day|week|weekday|weekend)|${WHOLE_WEEKDAY})(?: (?:of|in))?$|\\s(?:of)$`, 'iu');

/** What follows a Korean day when it is one of several, or begins or ends something. */
const KOREAN_ENDINGS = '(?:까지|부터|에서|에|이나|나|말고|이랑|랑|하고|과|와|라도|이라도|도|만|은|는|이|가|쯤|경|께|마다|로|으로|중|날|밤|아침|저녁|오전|오후|새벽|점심)*';
/** What stands behind a day or a time and makes another one of it, or one of several. */
const TURNS = '(?:말고|빼고|제외하고|제외|아니고|아니라|아니면|또는|혹은|이나|및|부터|이후|이전|전까지|전에|쯤|경|께|무렵|즈음|전후|사이|사이에|이내|내내|내로|안에|대신|지나|지나서|넘어서|뒤|뒤에|후|후에)'
  + `${KOREAN_ENDINGS}${END}|[,·~/–-]|(?:or|and|onwards?|through|thru|instead|of|at (?:the )?(?:earliest|latest))${END}`;
const TURNED_BEHIND = new RegExp(`^(?:${TURNS}|(?:전날|다음\\s?날|이튿날|뒷날|다음다음\\s?날|${KOREAN_LENGTH}\\s?(?:이?전|뒤|이?후|이내|안))${KOREAN_ENDINGS}${END}|${ENGLISH_LENGTH} (?:before|beforehand|prior|ago|earlier|early|ahead|in advance|after|afterwards?|later)${END}|(?:the )?\\d{1,2}(?:st|nd|rd|th)${END}`
  + `|\\d{1,2}일(?!\\s?(?:치|간|차|동안|연속))${KOREAN_ENDINGS}${END}|\\d{1,2}일?${JOINED}\\d{1,2}일|[${KOREAN_WEEKDAYS}]${WEEKDAY_ENDING}?${JOINED}[${KOREAN_WEEKDAYS}]${WEEKDAY_ENDING}?${END}|${KOREAN_WEEK}${JOINED}|(?:week|fortnight|after next)${END})`, 'iu');
/** What stands before a day and makes another one of it, or one of several. */
const TURNED_BEFORE = new RegExp(`(?:^|\\s)(?:(?:지지난|지난|저번|이번|다다음|그다음|다음|담|전|그|이)(?:\\s?(?:주|달))?|작년|올해|금년|내년|내후년|내달|\\d{1,2}월|${BARE_KOREAN_LENGTH}(?:\\s?(?:간|동안|이?전|뒤|이?후))?|말고|빼고|아니고|아니라|아니면|또는|혹은|및`
  + `|this|next|past|previous|or|and|nor|not|after|before|from|since|until|till|between|through|thru|to|for|of|except|around|about|than|any|some|each|per|the (?:day|night|week|weekend|morning|evening|month)|${ENGLISH_LENGTH}(?: (?:ago|earlier|later))?)$`
  + `|\\d{1,2}일${KOREAN_ENDINGS}$|[~–-]$`, 'iu');
const TIME_TURNED_BEHIND = new RegExp(`^(?:${TURNS})`, 'iu');
const TIME_TURNED_BEFORE = /(?:^|\s)(?:말고|빼고|아니고|아니라|아니면|또는|혹은|및|or|and|nor|not|after|before|from|since|until|till|between|through|thru|to|for|of|except|around|about|than|매|격)$|[,·~/–-]$/iu;
/** They may as well describe what follows them. */
const ADJECTIVE = /^(?:daily|weekly|monthly|yearly|annually|fortnightly|weekdays)$/i;

/** Whether a text names one of these days or repetitions somewhere; what is of a day ("오늘의 메뉴") names none. */
export function namesAnother(patterns: string[]): (text: string) => boolean {
  const unnamed = patterns.map((pattern) => pattern.replaceAll(/\(\?<[a-z]+>/gi, '(?:')).join('|');
  const days = new RegExp(`(?<![\\p{L}\\p{N}])(?:${unnamed})${KOREAN_ENDINGS}${END}`, 'giu');
  return (text) => [...text.matchAll(days)].some(({ 0: words, index }) => !ADJECTIVE.test(words) || index + words.length === text.length);
}

/** Whether `unit` is there, with nothing but `listed` between it and the end of the rest that the pattern is about. */
function hasUnit(rest: string, unit: RegExp, listed: RegExp): boolean {
  for (let left = rest, before = ''; left !== before; left = left.replace(listed, '')) {
    if (unit.test(left)) return true;
    before = left;
  }
  return false;
}

/** Whether a list goes on behind the words that were `read`. */
function goesOn(rest: string, read: string): boolean {
  return AND_BEHIND.test(rest) || (JOINS_BEHIND.test(read) && LIST_BEHIND.test(rest));
}

/** Whether the line names more of a repetition than was `read` of it; each day has all of its parts. */
export function saysMore(rest: string, isAfter: boolean, read: string, isDaily: boolean): boolean {
  if (OTHERWISE.test(rest)) return true;
  if (!isAfter) return CAME_BEFORE.test(rest);
  return GOES_ON.test(rest) || goesOn(rest, read) || (!isDaily && PART_BEHIND.test(rest));
}

/** Whether what stands beside the day that was `read` makes a repetition or a list of it, or another day. */
export function belongsToMore(rest: string, isAfter: boolean, read: string): boolean {
  if (isAfter) return hasUnit(rest, UNIT_BEHIND, FIRST_LISTED) || goesOn(rest, read) || TURNED_BEHIND.test(rest);
  return hasUnit(rest, UNIT_BEFORE, LAST_LISTED) || BEFORE.test(rest) || TURNED_BEFORE.test(rest);
}

/** Whether what stands beside a time makes another time of it, or one of several. */
export function turnsTime(rest: string, isAfter: boolean): boolean {
  return isAfter ? TIME_TURNED_BEHIND.test(rest) : TIME_TURNED_BEFORE.test(rest);
}

/** Whether the line names a part of the span of days that was read, such as a day of that week. */
export function namesPart(rest: string, isAfter: boolean): boolean {
  return isAfter ? GOES_ON.test(rest) || PART_BEHIND.test(rest) : PART_BEFORE.test(rest);
}
