import { expect, test } from 'vitest';
import { readDue, type Reading } from './due';

const WEDNESDAY = '2026-11-18';

const weekly = (...weekdays: string[]) => ({ every: 'week', interval: 1, weekdays });
const WORKDAYS = weekly('mon', 'tue', 'wed', 'thu', 'fri');

/** What is read right: the line, the title, the day, how it comes again. */
const READ: [string, string, string, object?][] = [
  ['매주 월~금 운동', '운동', '2026-11-18', WORKDAYS],
  ['매주 월-수 운동', '운동', '2026-11-18', weekly('mon', 'tue', 'wed')],
  ['매주 금~월 약', '약', '2026-11-20', weekly('mon', 'fri', 'sat', 'sun')],
  ['매주 월요일부터 목요일까지 운동', '운동', '2026-11-18', weekly('mon', 'tue', 'wed', 'thu')],
  ['매주 월·수·금 운동', '운동', '2026-11-18', weekly('mon', 'wed', 'fri')],
  ['매주 화요일과 목요일 수영', '수영', '2026-11-19', weekly('tue', 'thu')],
  ['매주 평일 출근', '출근', '2026-11-18', WORKDAYS],
  ['매주 주말 세차', '세차', '2026-11-21', weekly('sat', 'sun')],
  ['주말마다 세차', '세차', '2026-11-21', weekly('sat', 'sun')],
  ['every weekend hike', 'hike', '2026-11-21', weekly('sat', 'sun')],
  ['hike every weekend', 'hike', '2026-11-21', weekly('sat', 'sun')],
  ['월요일, 수요일마다 수영', '수영', '2026-11-18', weekly('mon', 'wed')],
  ['수영 월요일과 목요일마다', '수영', '2026-11-19', weekly('mon', 'thu')],
  ['월, 수마다 수영', '수영', '2026-11-18', weekly('mon', 'wed')],
  ['매주 일요일 일찍 일어나기', '일찍 일어나기', '2026-11-22', weekly('sun')],
  ['매일 말 걸기', '말 걸기', '2026-11-18', { every: 'day', interval: 1 }],
  ['매달 초등학교 회비', '초등학교 회비', '2026-11-18', { every: 'month', interval: 1, day: 18 }],
  ['매달 2차 점검', '2차 점검', '2026-11-18', { every: 'month', interval: 1, day: 18 }],
  ['다음달 말일 관리비', '관리비', '2026-12-31'],
  ['다음달 말 관리비', '관리비', '2026-12-31'],
  ['관리비 다음 달 말일까지', '관리비', '2026-12-31'],
  ['이번달 말일 관리비', '관리비', '2026-11-30'],
  ['관리비 12월 말일', '관리비', '2026-12-31'],
  ['last day of the month rent', 'rent', '2026-11-30'],
  ['rent on the last day of next month', 'rent', '2026-12-31'],
  ['다음 달 첫째 월요일 회의', '회의', '2026-12-07'],
  ['다음 달 첫 월요일 회의', '회의', '2026-12-07'],
  ['회의 다음 달 둘째 주 화요일', '회의', '2026-12-08'],
  ['다음 달 마지막 금요일까지 정산', '정산', '2026-12-25'],
  ['이번 달 넷째 월요일 회의', '회의', '2026-11-23'],
  ['first monday of next month standup', 'standup', '2026-12-07'],
  ['standup on the last friday of this month', 'standup', '2026-11-27'],
  ['next week monday standup', 'standup', '2026-11-23'],
  ['next week on friday standup', 'standup', '2026-11-27'],
  ['다음 달 말레이시아 여행', '말레이시아 여행', '2026-12-01'],
  ['다음 달 2차 접종', '2차 접종', '2026-12-01'],
  ['다음 달 3일간 휴가', '3일간 휴가', '2026-12-01'],
  ['다음 주 일정 정리', '일정 정리', '2026-11-23'],
  ['다음 주 초대장 쓰기', '초대장 쓰기', '2026-11-23'],
];

/** What names more than is read of it, and is not read by half. */
const HALF_READ = [
  '매달 둘째·넷째 주 일요일 휴무', '매월 둘째, 넷째 일요일 휴무', '매월 5·20일 정산', '매달 1, 15일 월세', '월세 매달 1, 15일까지', '매달 1~5일 검침', '매달 초 청소', '매달 중순에 청소',
  '매달 평일 점검', '매달 주말 청소', '매년 음력 8월 15일 제사', '제사 매년 음력 8월 15일', '제사 음력 8월 15일', '매년 봄 음력 3월 3일', '매주 월, 수쯤 운동',
  '월요일, 수요일 수영', '수영 월요일, 수요일', '수요일 격주 회의', '월요일 매주 회의', '월요일과 수요일 매주 수영',
  '이번 달 첫째 월요일 회의', '다음 달 중순 여행', '다음 달 20일쯤 여행', '다음 달 말쯤 여행', '다음 달 초 여행', '다음달 둘째 주 여행', '다음 달 5·20일 정산', '다음 달 5~7일 여행',
  '다음 주 월, 수 회의', '다음 주 월~수 출장', '다음 주 초 회의', '다음 주 중반 회의', '관리비 다다음 달 말일', '여행 다음 달 중순쯤',
  'every monday except holidays', 'swim every monday except holidays', 'every monday except holidays swim', 'swim except holidays every monday', '매주 월요일 공휴일 제외 수영', '수영 공휴일 빼고 매주 월요일',
  'swim every mon, wed', 'monday and wednesday every week swim', 'monday every week swim', 'every 1st, 15th rent', 'monthly on the 1st/15th rent', 'every month, weekdays only, swim',
  '금요일, 토 등산', 'friday each month pay', '회식 2번째 금요일', '회식 다섯 번째 금요일',
  '회의 12월 둘째 주 화요일', '회의 두 번째 화요일', 'standup first monday', '매년 말 정산',
  'trip mid next month', 'trip early next week', 'trip in the middle of next month', 'next month mid trip', 'next week mon, wed standup', 'next month first monday standup',
];

const SUNDAY = '2026-11-22';

/** Read on a Sunday, the last day of its week: the line, the title, the day. */
const READ_ON_SUNDAY: [string, string, string][] = [
  // The weekday of the week that is so many weeks away, Monday first
  ['3주 뒤 토요일 결혼식', '결혼식', '2026-12-12'],
  ['2주 뒤 월요일 회의', '회의', '2026-11-30'],
  ['회의 2주 뒤 월요일까지', '회의', '2026-11-30'],
  ['2주 후 금요일까지 보고서', '보고서', '2026-12-04'],
  ['2주 뒤에 금요일 보고서', '보고서', '2026-12-04'],
  ['일주일 뒤 수요일 검진', '검진', '2026-11-25'],
  ['세 주 뒤 일요일 등산', '등산', '2026-12-13'],
  ['in 2 weeks on friday review', 'review', '2026-12-04'],
  ['review in a week on monday', 'review', '2026-11-23'],
  ['two weeks from now on friday review', 'review', '2026-12-04'],
  ['friday in two weeks review', 'review', '2026-12-04'],
  ['review friday in two weeks', 'review', '2026-12-04'],
  ['review on friday 3 weeks from now', 'review', '2026-12-11'],
  ['in a fortnight on tuesday review', 'review', '2026-12-01'],
  ['다음 다음 주 금요일 회의', '회의', '2026-12-04'],
  ['회의 다음 다음 주 금요일', '회의', '2026-12-04'],
  ['다음 다음 주까지 보고서', '보고서', '2026-12-06'],
  // A date with its own weekday
  ['12월 24일 목요일 케이크', '케이크', '2026-12-24'],
  ['12월 24일(목) 케이크', '케이크', '2026-12-24'],
  ['12월 24일(목요일)까지 케이크', '케이크', '2026-12-24'],
  ['12/24(목) 케이크', '케이크', '2026-12-24'],
  ['케이크 12월 24일 목요일까지', '케이크', '2026-12-24'],
  ['23일 월요일 회의', '회의', '2026-11-23'],
  ['내일 월요일 회의', '회의', '2026-11-23'],
  ['cake on thursday, december 24', 'cake', '2026-12-24'],
  ['Sat 12/26 party', 'party', '2026-12-26'],
  ['dec 24 (thu) cake', 'cake', '2026-12-24'],
  ['tomorrow, monday standup', 'standup', '2026-11-23'],
  // What is no other day stays in the title
  ['금요일까지 12월 정산', '12월 정산', '2026-11-27'],
  ['내일 월요일의 맥주 반납', '월요일의 맥주 반납', '2026-11-23'],
  ['내일 24/7 편의점 찾기', '24/7 편의점 찾기', '2026-11-23'],
  ['23일 회의 자료 금요일까지', '23일 회의 자료', '2026-11-27'],
  ['tomorrow send the weekly report', 'send the weekly report', '2026-11-23'],
  ['movie night friday', 'movie night', '2026-11-27'],
  ['check in tomorrow', 'check in', '2026-11-23'],
  ['내일 2-3인분 만들기', '2-3인분 만들기', '2026-11-23'],
];

/** The same that names more than one day, or another than the one that it begins or ends with. */
const HALF_READ_ON_SUNDAY = [
  '한 달 뒤 금요일 모임', '모임 한 달 뒤 금요일', '두 달 뒤 첫째 금요일 모임', '1년 뒤 3월 여행', '1년 뒤 3월 2일 여행', '두 달 뒤 5일 여행', '여행 3개월 뒤 5일에', '한 달 뒤 말쯤 여행', '2주 뒤 주말 캠핑', '캠핑 2주 뒤 주말',
  '3일 뒤 수요일 회의', '회의 이틀 뒤 목요일', '10일 뒤 12월 2일 회의', '2주 뒤부터 다이어트', '2주 안에 제출', '2주 뒤 다음 달 회의', '금요일 2주 뒤 회의', '내일 3일 뒤 회의',
  'in a month on friday review', 'friday in a month review', 'in 3 days on friday review', 'in two weeks or friday review', 'in a year in march trip', 'a week on friday party', 'party two weeks on friday', 'party 2 weeks from friday', 'pay 3 days after tomorrow', 'friday week party', 'party friday week', 'week after friday party', 'friday after next party',
  '수요일 말고 목요일 회의', '회의 수요일 말고 목요일', '수요일말고 목요일 회의', '수요일 아니고 목요일 회의', '내일 빼고 모레 회의', '내일 대신 모레 회의', 'not friday pay', 'pay not friday', 'friday not saturday pay', 'pay friday instead of saturday',
  '다음 주 월요일 화요일 출장', '출장 다음 주 월요일 화요일', '다음 주 월요일 다다음 주 화요일 출장', '월요일 화요일 출장', '출장 월요일, 화요일', '월요일 출장 화요일', '오늘 내일 중으로 전화', '내일모레 글피 여행', '내일 회의 모레', 'monday tuesday trip', 'monday trip tuesday', 'tomorrow trip monday',
  '오늘 아니면 내일 전화', '전화 오늘 아니면 내일', '전화 오늘이나 내일', '오늘이나 내일 전화', '장보기 금요일이나 토요일', '월요일 또는 화요일 회의', '월요일 혹은 화요일 회의', '이번 주 아니면 다음 주 청소', '이번 주말 아니면 다음 주말 캠핑', 'tomorrow or friday', 'tomorrow or friday call', 'call tomorrow or friday', 'call either tomorrow or friday', 'tomorrow or later call', 'weekend or monday hike', 'next friday or saturday hike',
  '출장 내일부터 모레까지', '출장 월요일부터 수요일까지', '월요일부터 수요일까지 출장', '내일부터 출장', '출장 5일부터 7일까지', '출장 12월 5일부터 7일까지', '12/24 ~ 12/26 여행', '여행 12/24 ~ 12/26', '여행 12/24~12/26', '내일 ~ 모레 여행', '여행 12월 24일 ~', 'trip from monday to wednesday', 'monday to wednesday trip', 'monday through wednesday trip', 'trip between monday and wednesday', 'trip from friday', 'friday onwards trip',
  '12월 5일 7일 회의', '회의 12월 5일 7일', '관리비 5일 10일까지', '관리비 5일 또는 10일까지', '12월 5일 12월 7일 회의', '12/5 12/7 회의', 'dec 5 dec 7 meeting', 'meeting dec 5 or dec 7', 'friday the 13th movie', 'movie friday 13th', '회의 23일 월요일 화요일', '다음 주 월요일 24일 회의',
  '12월 24일 금요일 케이크', '12/24(금) 케이크', '23일 화요일 회의', '내일 화요일 회의', 'cake on friday, december 24', 'dec 24 (fri) cake', 'tomorrow, tuesday standup',
  '회의록 지난 금요일', '회의록 지난주 금요일', '회의록 저번 주 금요일', '회의 그 다음 주 금요일', '회의 이번 달 5일까지', '회의 2월 30일까지', '회의 내년 5일까지', '회의 1월 금요일', 'notes from last friday', 'notes of past friday', 'after friday call', 'call after friday', 'call before or on friday', 'no later than friday pay', 'pay no later than friday', 'plan for tomorrow', 'move the meeting to friday',
  '금요일 전날 장보기', '금요일 다음 날 장보기', '금요일 이틀 전 예약', '금요일 3일 전까지 예약', '금요일 이후 연락', '금요일 이전 연락', '금요일 전에 제출', '금요일 쯤 연락', '내일 이후로 연락', 'submit 3 days before friday', 'call the day before friday', 'call the week of friday',
  '매주 청소 금요일', '청소 매주 화장실 금요일', '금요일 청소 매주', '내일 청소 매주', 'tomorrow standup weekly', 'every week clean friday', 'send the report weekly tomorrow', '금요일까지 월요일 회의 자료', '내일 다음 주 식단 짜기', 'tomorrow plan next week',
];

/** Every day word that is asked for in what is left, named apart from the reader. */
const NAMES_A_DAY = /(?<!\p{L})(?:오늘|내일|모레|글피|[월화수목금토일]요일|(?:다음|이번) ?(?:주|달|주말))(?!의)|\d월 \d+일|\d\/\d+|뒤(?!\p{L})|주말|\b(?:today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|weeks?|months?|december|dec)\b/iu;
const DAYS = [
  '오늘', '내일', '모레', '월요일', '금요일까지', '토요일에', '다음 주', '다음 주 수요일', '이번 주말', '다음 달', '3일 뒤', '2주 뒤', '한 달 뒤', '1년 뒤', '12월 24일', '12/24', '2026-12-24',
  'today', 'tomorrow', 'monday', 'by friday', 'next week', 'next tuesday', 'this weekend', 'in 3 days', 'in two weeks', 'in a month', 'dec 24', 'thursday december 24',
];
const JOINERS = [' ', ', ', ' 말고 ', ' or ', ' and ', ' 아니면 ', ' 또는 ', '이나 ', ' ~ ', '~', '-', '부터 ', ' to ', ' not ', ' after ', ' before ', ' on ', ' 전 ', ' 후 ', ' 3시 ', ' 물 ', ' buy '];

test.each(DAYS)('of a line with two days no day is left in the title: %s', (first) => {
  for (const [index, second] of DAYS.entries()) {
    for (let place = index % 4; place < JOINERS.length; place += 4) {
      const both = first + JOINERS[place] + second;
      for (const line of [`${both} 물`, `buy ${both}`]) {
        const left = readDue(line, SUNDAY, '14:30')?.title ?? '';
        expect(NAMES_A_DAY.test(left) ? `${line} leaves ${left}` : '').toBe('');
      }
    }
  }
}, 30_000);

test.each(READ_ON_SUNDAY)('is read whole on a Sunday: %s', (line, title, due) => expect(readDue(line, SUNDAY)).toEqual({ title, due }));

test.each(HALF_READ_ON_SUNDAY)('is not read by half on a Sunday: %s', (line) => expect(readDue(line, SUNDAY)).toBeUndefined());

test.each(READ)('is read whole: %s', (line, title, due, repeat) => {
  expect(readDue(line, WEDNESDAY)).toEqual({ title, due, ...(repeat && { repeat }) } as Reading);
});

test.each(HALF_READ)('is not read by half: %s', (line) => expect(readDue(line, WEDNESDAY)).toBeUndefined());

test.each([['5일 ', true], ['5th may 5 ', false], ['첫 월요일 ', false], ['5/5 ', false], ['월, ', true], ['mon, ', false]])('a long list of days is gone through once: %s', (day, isRead) => {
  const list = day.repeat(Math.floor(380 / day.length));
  expect(readDue(`매달 ${list}물 내일`, WEDNESDAY)).toBeUndefined();
  expect(readDue(`물 ${list}물 내일`, WEDNESDAY)?.due).toBe(isRead ? '2026-11-19' : undefined);
  expect(readDue(`물 ${list}물 매일`, WEDNESDAY)?.due).toBe(isRead ? WEDNESDAY : undefined);
});
