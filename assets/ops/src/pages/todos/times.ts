/** Reads the time of a day out of its words. Pure. */

export const PARTS_OF_DAY = '(?:mornings?|afternoons?|evenings?|nights?)';

/** A time of day: it stands beside the words of a day. Where it names only a part of the day, it is no time. */
export const TIME = '(?<time>'
  + `(?:${PARTS_OF_DAY}\\s+)?(?:(?:at|by)\\s+)?\\d{1,2}(?::\\d{2})?\\s?[ap]\\.?m\\.?|(?:${PARTS_OF_DAY}\\s+)?(?:(?:at|by)\\s+)?\\d{1,2}:\\d{2}|(?:${PARTS_OF_DAY}\\s+)?at\\s+\\d{1,2}(?![\\p{L}\\p{N}.,/-])`
  + '|(?:(?:오전|오후|아침|점심|저녁|밤|새벽|낮)\\s?)?\\d{1,2}시(?:\\s?(?:반|\\d{1,2}분))?(?:까지|에)?|정오(?:까지|에)?|(?:(?:at|by)\\s+)?noon|(?:오전|오후|아침|점심|저녁|밤|새벽)(?:까지|에)?'
  + `|${PARTS_OF_DAY})`;

const TIMES = new RegExp(`(?<![\\p{L}\\p{N}])(?:${TIME})(?:부터|쯤|경|께|이후|이전)?(?![\\p{L}\\p{N}])`, 'giu');

/** Whether a text names a time somewhere. */
export function namesTime(text: string): boolean {
  return [...text.matchAll(TIMES)].some(({ groups }) => readTime(groups?.['time'] ?? '') !== undefined);
}

/** The time that the words name as `15:00`; undefined when they name none. */
export function readTime(words: string): string | undefined {
  const text = words.toLowerCase();
  if (/noon$|^정오/.test(text) && !text.includes('after')) return '12:00';
  const korean = /^(?<part>오전|오후|아침|점심|저녁|밤|새벽|낮)?\s?(?<hour>\d{1,2})시\s?(?:(?<half>반)|(?<minute>\d{1,2})분)?/.exec(text)?.groups;
  if (korean) return named(koreanHour(korean['part'], Number(korean['hour'])), korean['half'] ? 30 : Number(korean['minute'] ?? 0));
  const english = /^(?:(?<part>morning|afternoon|evening|night)s?\s+)?(?:(?:at|by)\s+)?(?<hour>\d{1,2})(?::(?<minute>\d{2}))?\s?(?<half>[ap])?/.exec(text)?.groups;
  if (!english) return undefined;
  const hour = Number(english['hour']);
  if (english['half'] && (hour < 1 || hour > 12)) return undefined;
  const half = english['half'] ?? (english['minute'] || hour > 12 ? undefined : halfOf(english['part'], hour));
  const whole = half === 'p' ? (hour % 12) + 12 : half === 'a' ? hour % 12 : hour;
  return named(whole, Number(english['minute'] ?? 0));
}

/** Bare, one to six are of the afternoon, as people mean them. */
function koreanHour(part: string | undefined, hour: number): number {
  if (hour > 12) return hour;
  switch (part) {
    case '오전': case '새벽': return hour % 12;
    case '아침': return hour;
    case '밤': return hour === 12 ? 24 : hour >= 6 ? hour + 12 : hour;
    case '오후': case '저녁': return (hour % 12) + 12;
    case '점심': case '낮': return hour < 10 ? hour + 12 : hour;
    default: return hour >= 1 && hour <= 6 ? hour + 12 : hour;
  }
}

/** The half of the day of a bare hour: that of its part, or as in Korean. */
function halfOf(part: string | undefined, hour: number): 'a' | 'p' {
  if (part) return part === 'morning' ? 'a' : 'p';
  return hour <= 6 || hour === 12 ? 'p' : 'a';
}

function named(hour: number, minute: number): string | undefined {
  return hour < 24 && minute < 60 ? `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}` : undefined;
}
