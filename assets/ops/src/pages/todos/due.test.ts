import { describe, expect, test } from 'vitest';
import { addDays, nextWeekday, readDue } from './due';

const FRIDAY = '2026-11-20';

describe('a due day in a line', () => {
  test.each([
    ['내일 자동차 보험 갱신', '자동차 보험 갱신', '2026-11-21'],
    ['내일까지 세금계산서 발행', '세금계산서 발행', '2026-11-21'],
    ['우유 사기 오늘', '우유 사기', '2026-11-20'],
    ['모레 병원', '병원', '2026-11-22'],
    ['월요일까지 보고서', '보고서', '2026-11-23'],
    ['금요일 장보기', '장보기', '2026-11-27'],
    ['다음 주 백업 디스크 교체', '백업 디스크 교체', '2026-11-23'],
    ['12/24 케이크 주문', '케이크 주문', '2026-12-24'],
    ['1월 5일까지 연말정산 서류', '연말정산 서류', '2027-01-05'],
    ['2027-03-02 개학', '개학', '2027-03-02'],
    ['3일 뒤 화분에 물', '화분에 물', '2026-11-23'],
    ['renew the insurance by friday', 'renew the insurance', '2026-11-27'],
    ['tomorrow buy milk', 'buy milk', '2026-11-21'],
    ['call home on Dec 24', 'call home', '2026-12-24'],
    ['in 10 days water the plants', 'water the plants', '2026-11-30'],
  ])('%s', (line, title, due) => {
    expect(readDue(line, FRIDAY)).toEqual({ title, due });
  });

  test.each(['우유 사기', '내일', '오늘의 메뉴 정하기', '13/40 확인', 'sunday', '월요일회의록 정리', 'buy sun cream'])(
    'is not seen in: %s', (line) => expect(readDue(line, FRIDAY)).toBeUndefined());
});

test('a weekday is the next one, never today', () => {
  expect(nextWeekday(FRIDAY, 5)).toBe('2026-11-27');
  expect(nextWeekday(FRIDAY, 6)).toBe('2026-11-21');
});

test('days are added across months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
});
