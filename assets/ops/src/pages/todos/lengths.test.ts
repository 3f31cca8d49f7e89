import { describe, expect, test } from 'vitest';
import { countNumber, daysNumber } from './day-names';
import { addDays, addMonths } from './days';
import { readDue } from './due';

const MONDAY = '2026-11-23';

/** The words of every count from one on, named apart from the reader. */
const KOREAN = [['한', '일'], ['두', '이'], ['세', '석', '삼'], ['네', '넉', '사'], ['다섯', '오'], ['여섯', '육'], ['일곱', '칠'], ['여덟', '팔'], ['아홉', '구'], ['열', '십'], ['열한', '십일'], ['열두', '십이']];
const NUMBERS = ['일', '이', '삼', '사', '오', '육', '칠', '팔', '구', '십', '십일', '십이'];
const DAYS = ['하루', '이틀', '사흘', '나흘', '닷새', '엿새', '이레', '여드레', '아흐레', '열흘', '열하루', '열이틀'];
const ENGLISH = [['a', 'an', 'one'], ['two'], ['three'], ['four'], ['five'], ['six'], ['seven'], ['eight'], ['nine'], ['ten'], ['eleven'], ['twelve']];
const SOME = ['몇', '두세', '두어', '서너', '네댓', '대여섯', '2~3', '10'];

const counted = (counts: string[], units: string[], between: string[]) => counts.flatMap((count) => units.flatMap((unit) => between.map((space) => `${count}${space}${unit}`)));
const LENGTHS = [
  ...counted([...KOREAN.flat(), ...SOME], ['주', '주일', '달', '개월', '년', '해'], ['', ' ']), ...counted([...NUMBERS, '몇', '3', '2~3'], ['일'], ['', ' ']), ...DAYS, '보름', '며칠', '반년', '한 달 반', '1년 반',
];
const ENGLISH_LENGTHS = counted([...ENGLISH.flat(), '3', 'a few', 'several', 'a couple of'], ['day', 'days', 'week', 'weeks', 'fortnight', 'month', 'months', 'year', 'years'], [' ']);

/** The lines of which a day is read although they name another one. */
const readWrong = (lines: string[]) => lines.filter((line) => readDue(line, MONDAY) !== undefined);

describe('a length', () => {
  test.each(['전', '뒤', '후', '전에', '전까지', '이내'])('of any count with %s behind a day makes another one of it', (away) => {
    expect(readWrong(LENGTHS.flatMap((length) => [`12월 24일 ${length} ${away} 예약`, `금요일 ${length}${away} 예약`]))).toEqual([]);
  });

  test.each(['before', 'after', 'later', 'ago', 'earlier', 'in advance'])('of any count with "%s" behind a day makes another one of it', (away) => {
    expect(readWrong(ENGLISH_LENGTHS.flatMap((length) => ['dec 24', 'friday'].map((day) => `${day} ${length} ${away} book`)))).toEqual([]);
  });

  test('of any count before a day makes another one of it', () => {
    expect(readWrong(ENGLISH_LENGTHS.flatMap((length) => [`book ${length} before friday`, `book ${length} after dec 24`, `book ${length} later friday`]))).toEqual([]);
    expect(readWrong(LENGTHS.flatMap((length) => [`예약 ${length} 전 금요일`, `예약 ${length} 동안 12월 24일`]))).toEqual([]);
    // So many weeks later a weekday is one of that week.
    expect(readWrong(LENGTHS.filter((length) => !/\d주|주일?$/.test(length)).map((length) => `예약 ${length} 뒤 금요일`))).toEqual([]);
    expect(readWrong(counted([...KOREAN.flat(), ...SOME], ['주일', '개월', '년'], ['', ' ']).map((length) => `예약 ${length} 금요일`))).toEqual([]);
  });

  test.each([
    ['엔진 오일 금요일', '엔진 오일', '2026-11-27'], ['이 일 내일까지', '이 일', '2026-11-24'], ['신년 사주 금요일', '신년 사주', '2026-11-27'], ['친구 오해 금요일', '친구 오해', '2026-11-27'],
    ['금요일 세일 시작', '세일 시작', '2026-11-27'], ['마트 세일 금요일', '마트 세일', '2026-11-27'], ['금요일 오일 교환', '오일 교환', '2026-11-27'], ['12월 24일 삼일절 계획', '삼일절 계획', '2026-12-24'], ['friday a week of rain gear', 'a week of rain gear', '2026-11-27'],
  ])('is not seen in words that only look like one: %s', (line, title, due) => expect(readDue(line, MONDAY)).toEqual({ title, due }));

  test('from today is read with any count', () => {
    for (const [index, words] of KOREAN.entries()) {
      for (const word of words) {
        for (const away of ['뒤', '후']) {
          const read = (unit: string) => readDue(`${word} ${unit} ${away} 점검`, MONDAY);
          expect([word, read('주'), read('주일'), read('개월'), read('년')]).toEqual([word, ...[
            addDays(MONDAY, 7 * (index + 1)), addDays(MONDAY, 7 * (index + 1)), addMonths(MONDAY, index + 1), addMonths(MONDAY, 12 * (index + 1)),
          ].map((due) => ({ title: '점검', due }))]);
        }
      }
      expect(readDue(`${DAYS[index]} 뒤 점검`, MONDAY)).toEqual({ title: '점검', due: addDays(MONDAY, index + 1) });
    }
  });

  test('from today is read with any count in English', () => {
    for (const [index, words] of ENGLISH.entries()) {
      for (const word of words) {
        const read = (unit: string) => readDue(`in ${word} ${unit} check`, MONDAY);
        const many = index + 1;
        expect([word, read('days'), read('weeks'), read('fortnights'), read('months'), read('years')]).toEqual([word, ...[
          addDays(MONDAY, many), addDays(MONDAY, 7 * many), addDays(MONDAY, 14 * many), addMonths(MONDAY, many), addMonths(MONDAY, 12 * many),
        ].map((due) => ({ title: 'check', due }))]);
      }
    }
  });
});

test('a count is known by its words in both languages and by its digits, and nothing else is one', () => {
  for (const [index, words] of [...KOREAN.entries(), ...ENGLISH.entries()]) expect(words.map(countNumber)).toEqual(words.map(() => index + 1));
  expect([countNumber('12'), countNumber('One'), countNumber('몇'), countNumber('few'), daysNumber('보름'), daysNumber('며칠')]).toEqual([12, 1, NaN, NaN, 15, NaN]);
});
