import { describe, expect, test } from 'vitest';
import * as format from './format';

describe('money', () => {
  test('an exact sum has grouping and the unit of its language', () => {
    expect(format.won(128_450_300, 'ko')).toBe('128,450,300원');
    expect(format.won(-5000, 'en')).toBe('−₩5,000');
  });

  test.each([
    [3_006_510_000, '30억 651만 원'],
    [128_450_300, '1억 2,845만 원'],
    [1_500_000_000_000, '1조 5,000억 원'],
    [12_000, '1만 원'],
    [9_999, '9,999원'],
    [200_000_000, '2억 원'],
    [-45_000, '−5만 원'],
  ])('%d won is said as %s', (value, said) => expect(format.wonInWords(value, 'ko')).toBe(said));

  test.each([
    [3_006_510_000, '₩3.01 billion'],
    [2_000_000, '₩2 million'],
    [999_999, '₩1 million'],
    [55_000, '₩55,000'],
  ])('%d won is written as %s', (value, said) => expect(format.wonInWords(value, 'en')).toBe(said));

  test('a change carries its sign, nothing does not', () => {
    expect(format.signedWon(45_000, 'ko')).toBe('+45,000원');
    expect(format.signedWon(-5_000, 'ko')).toBe('−5,000원');
    expect(format.signedWon(0, 'ko')).toBe('0원');
  });
});

test('a month is named with its year', () => {
  expect([format.month('2026-11-01', 'ko'), format.month('2026-11-01', 'en')]).toEqual(['2026년 11월', 'Nov 2026']);
});

describe('numbers', () => {
  test('have grouping, a real minus sign and no negative zero', () => {
    expect(format.number(8_145_060)).toBe('8,145,060');
    expect(format.number(-0.004, 2)).toBe('0.00');
    expect(format.number(-2.42, 2)).toBe('−2.42');
  });

  test('a share is a percentage', () => {
    expect(format.percent(0.50002, 1)).toBe('50.0%');
  });

  test('bytes have decimal units', () => {
    expect([812, 38_000_000, 1_449_000_000, 999_999].map(format.bytes)).toEqual(['812 B', '38 MB', '1.4 GB', '1.0 MB']);
  });
});

describe('days and times in Seoul', () => {
  test('a day has its weekday, and its year only when it is another one', () => {
    expect(format.date('2026-11-20', 'ko', '2026-11-20')).toBe('11월 20일 (금)');
    expect(format.date('2025-11-20', 'ko', '2026-11-20')).toBe('2025년 11월 20일 (목)');
    expect(format.date('2026-11-20', 'en', '2026-11-20')).toBe('Fri, Nov 20');
  });

  test('the day changes at midnight in Seoul, not in the zone of the machine', () => {
    expect(format.dayOf('2026-11-20T14:59:59Z')).toBe('2026-11-20');
    expect(format.dayOf('2026-11-20T15:00:00Z')).toBe('2026-11-21');
  });

  test('an instant is day and time of Seoul', () => {
    expect(format.dateTime('2026-11-21T11:35:00Z', 'ko', '2026-11-20')).toBe('11월 21일 (토) 20:35');
  });

  test('instants that no calendar has are said as they are written', () => {
    for (const instant of ['2027-11-22T09:00:60Z', '9999-12-31T23:59:59Z', '+10000-01-01T23:58:59Z', '-0001-12-31T00:01:00Z', 'poll', '']) {
      for (const language of ['ko', 'en'] as const) expect(format.dateTime(instant, language, '2026-11-20')).toBe(instant);
    }
  });

  test('days near today have names', () => {
    const names = ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'].map((day) => format.due(day, 'ko', '2026-11-20'));
    expect(names).toEqual(['어제', '오늘', '내일', '11월 22일 (일)']);
  });
});

describe('durations', () => {
  const now = Date.parse('2026-11-20T06:00:00Z');

  test.each([
    ['2026-11-20T05:59:30Z', '방금', 'just now'],
    ['2026-11-20T06:50:00Z', '방금', 'just now'],
    ['2027-11-20T06:00:00Z', '2027년 11월 20일 (토) 15:00', 'Sat, Nov 20, 2027 15:00'],
    ['2026-11-20T05:48:00Z', '12분 전', '12 min ago'],
    ['2026-11-20T03:00:00Z', '3시간 전', '3 h ago'],
    ['2026-11-15T06:00:00Z', '5일 전', '5 days ago'],
  ])('the age of %s', (at, korean, english) => {
    expect([format.age(at, 'ko', now), format.age(at, 'en', now)]).toEqual([korean, english]);
  });

  test.each([
    [108_000_000, '1일 6시간'],
    [86_400_000, '1일'],
    [21_900_000, '6시간 5분'],
    [754_000, '12분'],
    [30_000, '30초'],
    [-5, '0초'],
  ])('%d ms is %s', (milliseconds, said) => expect(format.duration(milliseconds, 'ko')).toBe(said));
});

test('a day at an axis says no more than is told apart there', () => {
  const said = (language: 'ko' | 'en') => (['day', 'month', 'year'] as const).map((unit) => format.axisDay('2025-11-03', unit, language));
  expect(said('ko')).toEqual(['11월 3일', '11월', '2025년']);
  expect(said('en')).toEqual(['Nov 3', 'Nov', '2025']);
});

test('a moment names its day only when that is not today', () => {
  const [now, before] = [Date.parse('2026-11-20T06:00:00Z'), Date.parse('2026-11-20T05:05:00Z')];
  expect(format.moment(before, 'ko', now)).toBe('14:05');
  expect(format.moment(before - 86_400_000, 'ko', now)).toBe('11월 19일 (목) 14:05');
});
