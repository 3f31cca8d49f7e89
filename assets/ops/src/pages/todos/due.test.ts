import { describe, expect, test } from 'vitest';
import { nextWeekday, readDue } from './due';

/** A Saturday, the last day but one of its week. */
const SATURDAY = '2026-11-21';

/** What each phrase means, decided once: the line, the title that is left, and the day. */
const MEANINGS: [string, string, string][] = [
  // Days from today
  ['오늘 약 먹기', '약 먹기', '2026-11-21'],
  ['오늘까지 회비 내기', '회비 내기', '2026-11-21'],
  ['우유 사기 오늘', '우유 사기', '2026-11-21'],
  ['내일 자동차 보험 갱신', '자동차 보험 갱신', '2026-11-22'],
  ['내일까지 세금계산서 발행', '세금계산서 발행', '2026-11-22'],
  ['낼까지 회비 내기', '회비 내기', '2026-11-22'],
  ['낼모레 병원', '병원', '2026-11-23'],
  ['모레 병원', '병원', '2026-11-23'],
  ['내일모레 병원', '병원', '2026-11-23'],
  ['내일 모레 병원', '병원', '2026-11-23'],
  ['글피 택배 받기', '택배 받기', '2026-11-24'],
  ['그글피 이사 견적', '이사 견적', '2026-11-25'],
  ['3일 뒤 화분에 물', '화분에 물', '2026-11-24'],
  ['10일 후에 필터 교체', '필터 교체', '2026-12-01'],
  ['이틀 뒤 반납', '반납', '2026-11-23'],
  ['사흘 뒤 반납', '반납', '2026-11-24'],
  ['열흘 뒤 점검', '점검', '2026-12-01'],
  ['보름 뒤 점검', '점검', '2026-12-06'],
  ['today water the plants', 'water the plants', '2026-11-21'],
  ['tomorrow buy milk', 'buy milk', '2026-11-22'],
  ['buy milk tomorrow', 'buy milk', '2026-11-22'],
  ['the day after tomorrow pick up the coat', 'pick up the coat', '2026-11-23'],
  ['in three days call the bank', 'call the bank', '2026-11-24'],
  ['in 10 days water the plants', 'water the plants', '2026-12-01'],
  ['return the book 3 days from now', 'return the book', '2026-11-24'],
  ['a week from tomorrow book the flight', 'book the flight', '2026-11-29'],
  // A weekday by itself is the next one, never today
  ['월요일까지 보고서', '보고서', '2026-11-23'],
  ['금요일 장보기', '장보기', '2026-11-27'],
  // The same word is "to pay"
  ['금요일 낼 회비', '낼 회비', '2026-11-27'],
  ['다음 주 금요일까지 낼 세금', '낼 세금', '2026-11-27'],
  ['11월 30일까지 낼 보험료', '낼 보험료', '2026-11-30'],
  ['오늘 낼 관리비', '낼 관리비', '2026-11-21'],
  ['이번 주 낼 공과금', '낼 공과금', '2026-11-22'],
  ['2월 29일 기념일', '기념일', '2028-02-29'],
  ['feb 29 anniversary', 'anniversary', '2028-02-29'],
  ['토요일 대청소', '대청소', '2026-11-28'],
  ['일요일에 할머니 댁', '할머니 댁', '2026-11-22'],
  ['오는 수요일 검진', '검진', '2026-11-25'],
  ['돌아오는 목요일 검진', '검진', '2026-11-26'],
  ['renew the insurance by friday', 'renew the insurance', '2026-11-27'],
  ['saturday clean the house', 'clean the house', '2026-11-28'],
  ['clean the house by sat', 'clean the house', '2026-11-28'],
  ['Thu dentist', 'dentist', '2026-11-26'],
  // A week begins on Monday, and "next" is the next one
  ['이번 주 일요일 등산', '등산', '2026-11-22'],
  ['이번 일요일 등산', '등산', '2026-11-22'],
  ['등산 이번 일요일까지', '등산', '2026-11-22'],
  ['다음 주 금요일 회의', '회의', '2026-11-27'],
  ['다음주 금요일 회의', '회의', '2026-11-27'],
  ['다음 주 일요일 등산', '등산', '2026-11-29'],
  ['다음 금요일 회의', '회의', '2026-11-27'],
  ['회의 다음 주 화요일', '회의', '2026-11-24'],
  ['다다음 주 수요일까지 제안서', '제안서', '2026-12-02'],
  ['다음 주 백업 디스크 교체', '백업 디스크 교체', '2026-11-23'],
  ['다음 주까지 제안서', '제안서', '2026-11-29'],
  ['다음 주 중으로 제안서', '제안서', '2026-11-29'],
  ['이번 주 중 보고서', '보고서', '2026-11-22'],
  ['다음 주 중 회의', '회의', '2026-11-29'],
  ['이번 달 중 결산', '결산', '2026-11-30'],
  ['오늘 중 보고서', '보고서', '2026-11-21'],
  ['내일 중으로 답장', '답장', '2026-11-22'],
  ['답장 금요일 중', '답장', '2026-11-27'],
  // What only looks like it stays in the title
  ['오늘 중국집 예약', '중국집 예약', '2026-11-21'],
  ['이번 주 중고 책 팔기', '중고 책 팔기', '2026-11-22'],
  ['오늘 중3 수학 숙제', '중3 수학 숙제', '2026-11-21'],
  ['내일 회의 중 발표', '회의 중 발표', '2026-11-22'],
  ['이번 주 내과 예약', '내과 예약', '2026-11-22'],
  ['다다음 주 출장 준비', '출장 준비', '2026-11-30'],
  ['이번 주까지 제안서', '제안서', '2026-11-22'],
  ['이번 주 안에 제안서', '제안서', '2026-11-22'],
  ['이번 주말 세차', '세차', '2026-11-21'],
  ['주말까지 세차', '세차', '2026-11-22'],
  ['다음 주말 캠핑', '캠핑', '2026-11-28'],
  ['next friday team lunch', 'team lunch', '2026-11-27'],
  ['team lunch next saturday', 'team lunch', '2026-11-28'],
  ['this sunday hike', 'hike', '2026-11-22'],
  ['next sunday hike', 'hike', '2026-11-29'],
  ['friday next week team lunch', 'team lunch', '2026-11-27'],
  ['next week change the disk', 'change the disk', '2026-11-23'],
  ['send the offer by next week', 'send the offer', '2026-11-29'],
  ['send the offer by the end of the week', 'send the offer', '2026-11-22'],
  ['this weekend wash the car', 'wash the car', '2026-11-21'],
  ['wash the car next weekend', 'wash the car', '2026-11-28'],
  // Weeks, months and years from today
  ['일주일 뒤 반납', '반납', '2026-11-28'],
  ['2주 뒤 치과', '치과', '2026-12-05'],
  ['두 주 후 치과', '치과', '2026-12-05'],
  ['한 달 뒤 필터 교체', '필터 교체', '2026-12-21'],
  ['3개월 뒤 스케일링', '스케일링', '2027-02-21'],
  ['1년 뒤 여권 갱신', '여권 갱신', '2027-11-21'],
  ['in two weeks dentist', 'dentist', '2026-12-05'],
  ['dentist in a week', 'dentist', '2026-11-28'],
  ['dentist in a fortnight', 'dentist', '2026-12-05'],
  ['in a month change the filter', 'change the filter', '2026-12-21'],
  ['in 3 months see the dentist', 'see the dentist', '2027-02-21'],
  // Ends and days of months
  ['이번 달 말 카드값', '카드값', '2026-11-30'],
  ['이달 말까지 카드값', '카드값', '2026-11-30'],
  ['월말까지 정산', '정산', '2026-11-30'],
  ['이번 달 안에 정산', '정산', '2026-11-30'],
  ['이번 달 25일 월급 확인', '월급 확인', '2026-11-25'],
  ['다음 달 5일 관리비', '관리비', '2026-12-05'],
  ['next month 15th dentist', 'dentist', '2026-12-15'],
  ['rent on the 5th of next month', 'rent', '2026-12-05'],
  // A bare number is the day at the end, before a weekday, and behind "on" or "the"
  ['dentist next month 12', 'dentist', '2026-12-12'],
  ['next month 11 friday dentist', 'dentist', '2026-12-11'],
  ['next month 11 (fri) dentist', 'dentist', '2026-12-11'],
  ['next month 12 (sat) dentist', 'dentist', '2026-12-12'],
  ['next month 12: dentist', 'dentist', '2026-12-12'],
  ['next month on 12 dentist', 'dentist', '2026-12-12'],
  ['next month the 12 dentist', 'dentist', '2026-12-12'],
  ['this month 28th dentist', 'dentist', '2026-11-28'],
  // Before anything else it counts that
  ['next month 12 eggs', '12 eggs', '2026-12-01'],
  ['next month 2 tickets', '2 tickets', '2026-12-01'],
  ['next month 30 minutes run', '30 minutes run', '2026-12-01'],
  ['next month 4 weeks of leave', '4 weeks of leave', '2026-12-01'],
  ['next month 3 nights in Rome', '3 nights in Rome', '2026-12-01'],
  ['다음 달 말까지 정산', '정산', '2026-12-31'],
  ['다음 달 여행 예약', '여행 예약', '2026-12-01'],
  ['25일까지 월세', '월세', '2026-11-25'],
  ['5일까지 관리비', '관리비', '2026-12-05'],
  ['연말까지 기부금 영수증', '기부금 영수증', '2026-12-31'],
  ['12월 말까지 연차 쓰기', '연차 쓰기', '2026-12-31'],
  ['pay the card by the end of the month', 'pay the card', '2026-11-30'],
  ['pay the rent by the 25th', 'pay the rent', '2026-11-25'],
  ['next month book the trip', 'book the trip', '2026-12-01'],
  // Whole days
  ['12/24 케이크 주문', '케이크 주문', '2026-12-24'],
  ['1월 5일까지 연말정산 서류', '연말정산 서류', '2027-01-05'],
  ['12월 24일(목) 케이크 주문', '케이크 주문', '2026-12-24'],
  ['내년 3월 2일 개학', '개학', '2027-03-02'],
  ['2027-03-02 개학', '개학', '2027-03-02'],
  ['2027. 3. 2. 개학', '개학', '2027-03-02'],
  ['2027년 3월 2일 개학', '개학', '2027-03-02'],
  ['call home on Dec 24', 'call home', '2026-12-24'],
  ['call home 24 December', 'call home', '2026-12-24'],
  ['march 2nd, 2027 school begins', 'school begins', '2027-03-02'],
  // A part of the day is no time: it stays in the title
  ['내일 아침 운동', '아침 운동', '2026-11-22'],
  ['운동 내일 아침', '운동 아침', '2026-11-22'],
  ['tomorrow morning run', 'morning run', '2026-11-22'],
];

/** The same with a time: the line, the title, the day and the time. */
const TIMES: [string, string, string, string][] = [
  ['tomorrow 3pm dentist', 'dentist', '2026-11-22', '15:00'],
  ['tomorrow at 3:30 pm dentist', 'dentist', '2026-11-22', '15:30'],
  ['dentist tomorrow 15:00', 'dentist', '2026-11-22', '15:00'],
  ['dentist 3pm tomorrow', 'dentist', '2026-11-22', '15:00'],
  ['next month 12 at 3pm dentist', 'dentist', '2026-12-12', '15:00'],
  ['next month 12 15:00 dentist', 'dentist', '2026-12-12', '15:00'],
  ['dentist next month 12 3pm', 'dentist', '2026-12-12', '15:00'],
  ['lunch next friday at noon', 'lunch', '2026-11-27', '12:00'],
  ['내일 오후 3시 치과', '치과', '2026-11-22', '15:00'],
  ['치과 내일 오후 3시 반', '치과', '2026-11-22', '15:30'],
  ['다음 주 화요일 10시 30분 면접', '면접', '2026-11-24', '10:30'],
  ['내일 3시 치과', '치과', '2026-11-22', '15:00'],
  ['내일 아침 8시 조깅', '조깅', '2026-11-22', '08:00'],
  ['오늘 저녁 7시 약속', '약속', '2026-11-21', '19:00'],
  ['오늘 밤 11시 약', '약', '2026-11-21', '23:00'],
  ['내일 미팅 3시', '미팅', '2026-11-22', '15:00'],
  ['3시 미팅 내일', '미팅', '2026-11-22', '15:00'],
  ['tomorrow call home at 9:15 am', 'call home', '2026-11-22', '09:15'],
  ['오늘 1시 전화', '전화', '2026-11-21', '13:00'],
  ['send the offer by 5pm tomorrow', 'send the offer', '2026-11-22', '17:00'],
  ['2주 뒤 화요일 오후 3시 검진', '검진', '2026-12-01', '15:00'],
];

/** A time that is not read whole stays in the title: the line, the title and the day. */
const KEPT_TIMES: [string, string, string][] = [
  ['내일 3시 4시 미팅', '3시 4시 미팅', '2026-11-22'],
  ['내일 3시 말고 4시 미팅', '3시 말고 4시 미팅', '2026-11-22'],
  ['내일 미팅 3시 또는 4시', '미팅 3시 또는 4시', '2026-11-22'],
  ['내일 오후 3시', '오후 3시', '2026-11-22'],
  ['내일 3시 전에 전화', '3시 전에 전화', '2026-11-22'],
  ['내일 3시~5시 미팅', '3시~5시 미팅', '2026-11-22'],
  ['call after 3pm tomorrow', 'call after 3pm', '2026-11-22'],
  ['tomorrow 3pm or 4pm call', '3pm or 4pm call', '2026-11-22'],
];

/** The same that repeat: the line, the title, the first day and how. */
const REPEATING: [string, string, string, object][] = [
  ['매일 물 마시기', '물 마시기', '2026-11-21', { every: 'day', interval: 1 }],
  ['매주 월요일 분리수거', '분리수거', '2026-11-23', { every: 'week', interval: 1, weekdays: ['mon'] }],
  ['분리수거 매주 월요일', '분리수거', '2026-11-23', { every: 'week', interval: 1, weekdays: ['mon'] }],
  ['월요일마다 분리수거', '분리수거', '2026-11-23', { every: 'week', interval: 1, weekdays: ['mon'] }],
  ['매주 월수금 수영', '수영', '2026-11-23', { every: 'week', interval: 1, weekdays: ['mon', 'wed', 'fri'] }],
  ['매주 토요일 대청소', '대청소', '2026-11-21', { every: 'week', interval: 1, weekdays: ['sat'] }],
  ['격주 화요일 화분', '화분', '2026-11-24', { every: 'week', interval: 2, weekdays: ['tue'] }],
  ['평일 아침 학교', '아침 학교', '2026-11-23', { every: 'week', interval: 1, weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] }],
  ['weekday mornings run', 'mornings run', '2026-11-23', { every: 'week', interval: 1, weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] }],
  ['run every weekday morning', 'run morning', '2026-11-23', { every: 'week', interval: 1, weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] }],
  ['every evening read', 'evening read', '2026-11-21', { every: 'day', interval: 1 }],
  ['평일마다 약', '약', '2026-11-23', { every: 'week', interval: 1, weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] }],
  ['3일마다 화분에 물', '화분에 물', '2026-11-21', { every: 'day', interval: 3 }],
  ['매달 25일 월세', '월세', '2026-11-25', { every: 'month', interval: 1, day: 25 }],
  ['매달 25일 낼 월세', '낼 월세', '2026-11-25', { every: 'month', interval: 1, day: 25 }],
  ['매월 말일 정산', '정산', '2026-11-30', { every: 'month', interval: 1, day: 31 }],
  ['매월 셋째 주 토요일 모임', '모임', '2026-11-21', { every: 'month', interval: 1, week: 3, weekdays: ['sat'] }],
  ['매월 마지막 금요일 회식', '회식', '2026-11-27', { every: 'month', interval: 1, week: 5, weekdays: ['fri'] }],
  ['매년 3월 2일 결혼기념일', '결혼기념일', '2027-03-02', { every: 'year', interval: 1, month: 3, day: 2 }],
  ['3주마다 금요일 회의', '회의', '2026-11-27', { every: 'week', interval: 3, weekdays: ['fri'] }],
  ['회의 3주마다 금요일', '회의', '2026-11-27', { every: 'week', interval: 3, weekdays: ['fri'] }],
  ['2주마다 화요일 화분', '화분', '2026-11-24', { every: 'week', interval: 2, weekdays: ['tue'] }],
  ['매일 3일치 약 챙기기', '3일치 약 챙기기', '2026-11-21', { every: 'day', interval: 1 }],
  ['weekly on friday meeting', 'meeting', '2026-11-27', { every: 'week', interval: 1, weekdays: ['fri'] }],
  ['every week on monday and thursday swim', 'swim', '2026-11-23', { every: 'week', interval: 1, weekdays: ['mon', 'thu'] }],
  ['meeting every 3 weeks on friday', 'meeting', '2026-11-27', { every: 'week', interval: 3, weekdays: ['fri'] }],
  ['every other week on tuesday water the plants', 'water the plants', '2026-11-24', { every: 'week', interval: 2, weekdays: ['tue'] }],
  ['every month 25th rent', 'rent', '2026-11-25', { every: 'month', interval: 1, day: 25 }],
  ['rent monthly on 25th', 'rent', '2026-11-25', { every: 'month', interval: 1, day: 25 }],
  ['every 25th of the month rent', 'rent', '2026-11-25', { every: 'month', interval: 1, day: 25 }],
  ['weekly time sheet', 'time sheet', '2026-11-21', { every: 'week', interval: 1 }],
  ['every month on-call duty', 'on-call duty', '2026-11-21', { every: 'month', interval: 1, day: 21 }],
  ['every day 5 pushups', '5 pushups', '2026-11-21', { every: 'day', interval: 1 }],
  ['every month sun cream', 'sun cream', '2026-11-21', { every: 'month', interval: 1, day: 21 }],
  ['every day stretch', 'stretch', '2026-11-21', { every: 'day', interval: 1 }],
  ['every weekday take the bus', 'take the bus', '2026-11-23', { every: 'week', interval: 1, weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] }],
  ['take out the bins every monday and thursday', 'take out the bins', '2026-11-23', { every: 'week', interval: 1, weekdays: ['mon', 'thu'] }],
  ['every 2 weeks clean the filter', 'clean the filter', '2026-11-21', { every: 'week', interval: 2 }],
  ['pay the rent every month on the 25th', 'pay the rent', '2026-11-25', { every: 'month', interval: 1, day: 25 }],
  ['every last friday of the month dinner', 'dinner', '2026-11-27', { every: 'month', interval: 1, week: 5, weekdays: ['fri'] }],
  ['yearly on march 2 anniversary', 'anniversary', '2027-03-02', { every: 'year', interval: 1, month: 3, day: 2 }],
];

/** What only looks like a day, stands inside words, has passed or would leave nothing. */
const LEFT_ALONE = [
  '회의 중 녹음 켜기', '통화 중 메모', '회의 중', '중 사기', '내일 중', '주중 보고서', '평일 학교',
  '우유 사기', '내일', 'sunday', '월요일의 맥주 책', '5월의 신부', 'version 1.2', 'version 1.2 배포', '1.2 버전 배포',
  '오늘의 메뉴 정하기', '내일의 날씨 보기', '월요일회의록 정리', '주말농장 예약', '모레노 씨에게 전화', '글피아 가입',
  '3일 휴가 신청', '1월 계획', '1/2 컵 설탕', '1/2컵 설탕', '13/40 확인', '24/7 연락처', '2월 30일 확인', '내년 계획 세우기',
  '이번 주 금요일 회의', '이번 금요일 회의', '이번 달 5일 관리비', '다음 달 32일 정산', '2020-01-01 사진 정리', '다음 주부터 운동', '금요일밤 영화',
  '매일경제 구독 끊기', '매주말 농장', '일간 daily planner 사기', 'everyday carry list',
  'buy sun cream', 'sun cream', 'enjoy the sun', 'decide 5 things', 'market 5 pieces', 'march 5 km', 'may 5 people come', 'this month 28 eggs',
  'this friday lunch', 'read Next Week magazine', 'monday-morning blues', 'fridays for future', 'todays menu', 'Tomorrowland tickets',
];

/** What names more of a repetition than can be read: half of it would come on the wrong day. */
const HALF_READ = [
  '다음주 화 목 수업',
  '다음 주 월 수 금 수영',
  '매달 5일과 20일 정산', '매달 5일, 20일 정산', '매달 5일 20일 정산', '매달 10일쯤 카드값', '매월 5일에서 7일 사이 여행', '매년 2월 30일 정산', '매년 2월쯤 검진',
  '매주 금요일쯤 장보기', '매달 둘째 주쯤 모임', '매년 3월 둘째 주 모임', '금요일과 회의 매달 5일쯤', '정산 5일과 20일 매달',
  'every 2nd friday beer', 'beer every 2nd friday', 'every 2nd day stretch', 'every 3rd week clean the filter', 'every month on the 5th and 20th pay', 'every month the first friday dinner',
  'monthly on weekends pay', 'yearly feb 30 pay', 'every year on feb 30 pay', 'pay the 5th and 20th every month',
];

/** A time without a day at 14:30: the line, the title, the day and the time. */
const TIMES_ALONE: [string, string, string, string][] = [
  ['오후 3시 미팅', '미팅', '2026-11-21', '15:00'],
  ['미팅 15:30', '미팅', '2026-11-21', '15:30'],
  ['오후 2시 미팅', '미팅', '2026-11-22', '14:00'],
  ['2시 반 미팅', '미팅', '2026-11-22', '14:30'],
  ['6시까지 제출', '제출', '2026-11-21', '18:00'],
  ['조깅 아침 7시', '조깅', '2026-11-22', '07:00'],
  ['3pm call home', 'call home', '2026-11-21', '15:00'],
  ['call home at 9:15 am', 'call home', '2026-11-22', '09:15'],
  ['by 5pm send the offer', 'send the offer', '2026-11-21', '17:00'],
  ['lunch at noon', 'lunch', '2026-11-22', '12:00'],
];

/** What is no time by itself, or more than one, or would leave nothing. */
const NO_TIME_ALONE = [
  '오후 3시', 'at 3pm', '3시간 걷기', '24시 편의점 가기', '아침 운동', '저녁 준비', 'morning run', '3시쯤 미팅', '3시 쯤 미팅', '3시부터 미팅', '3시 이후 전화', '3시 전에 전화', '3시 말고 4시 미팅', '3시 아니면 4시 미팅',
  '미팅 3시 4시', '미팅 3시 또는 4시', '3시 ~ 5시 미팅', '3시~5시 미팅', '미팅 3시~5시', '3pm or 4pm call', '3pm or later call', 'call after 3pm', 'call from 3pm to 5pm', 'call between 3pm and 4pm', 'closed until 3pm', '25:00 call',
];

describe('a due day in a line', () => {
  test('stands for at least eighty phrases', () => expect(MEANINGS.length).toBeGreaterThanOrEqual(80));

  test.each(MEANINGS)('%s', (line, title, due) => {
    expect(readDue(line, SATURDAY)).toEqual({ title, due });
  });

  test.each(TIMES)('and a time: %s', (line, title, due, time) => {
    expect(readDue(line, SATURDAY)).toEqual({ title, due, time });
  });

  test.each(KEPT_TIMES)('and no half of a time: %s', (line, title, due) => expect(readDue(line, SATURDAY)).toEqual({ title, due }));

  test.each(TIMES_ALONE)('is today for a time alone, or tomorrow once that has passed: %s', (line, title, due, time) => {
    expect(readDue(line, SATURDAY, '14:30')).toEqual({ title, due, time });
  });

  test.each(NO_TIME_ALONE)('is not made of what is no time alone: %s', (line) => expect(readDue(line, SATURDAY, '14:30')).toBeUndefined());

  test.each(REPEATING)('that comes again: %s', (line, title, due, repeat) => {
    expect(readDue(line, SATURDAY)).toEqual({ title, due, repeat });
  });

  test.each([...MEANINGS, ...TIMES, ...REPEATING].flatMap(([line, title, due]) => (line.includes('요일') ? [{ line, title, due }] : [])))('and a weekday as people shorten it: $line', ({ line, title, due }) => {
    const whole = readDue(line, SATURDAY);
    expect(readDue(line.replaceAll('요일', '욜'), SATURDAY)).toEqual({ ...whole, title: title.replaceAll('요일', '욜') });
    expect(whole?.due).toBe(due);
  });

  test('may have its weekday beside it, shortened too', () => {
    expect(readDue('11월 27일 금욜 회의', SATURDAY)).toEqual({ title: '회의', due: '2026-11-27' });
    expect(readDue('11월 27일(금욜) 회의', SATURDAY)).toEqual({ title: '회의', due: '2026-11-27' });
    expect(readDue('11월 27일 토욜 회의', SATURDAY)).toBeUndefined();
  });

  test.each(['낼 세금 확인', '재산세 낼', '낼 오후 3시에 공과금'])('is not made of what is to be paid: %s', (line) => {
    expect(readDue(line, SATURDAY)?.title.includes('낼') ?? true).toBe(true);
  });

  test('that comes again, with a time', () => {
    const repeat = { every: 'week', interval: 1, weekdays: ['mon'] };
    expect(readDue('매주 월요일 오후 3시 회의', SATURDAY)).toEqual({ title: '회의', due: '2026-11-23', repeat, time: '15:00' });
  });

  test.each([
    '평일 아침 9시 학교', '평일 9시에 학교', '학교 평일 아침 9시', '평일에는 9시 학교', '평일마다 9시 학교', 'every weekday at 9 학교', '학교 every weekday at 9',
    'weekday mornings at 9 학교', '학교 weekdays at 9',
  ])('that comes again on workdays at a time: %s', (line) => {
    expect(readDue(line, SATURDAY)).toEqual({ title: '학교', due: '2026-11-23', time: '09:00', repeat: { every: 'week', interval: 1, weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] } });
  });

  test.each([
    ['매일 아침 8시 약', '약', '2026-11-21', '08:00', { every: 'day', interval: 1 }],
    ['every evening at 7 read', 'read', '2026-11-21', '19:00', { every: 'day', interval: 1 }],
    ['주말마다 아침 9시 등산', '등산', '2026-11-21', '09:00', { every: 'week', interval: 1, weekdays: ['sat', 'sun'] }],
    ['주말 아침 9시 등산', '등산', '2026-11-21', '09:00', undefined],
  ])('in parts of the day: %s', (line, title, due, time, repeat) => {
    expect(readDue(line, SATURDAY)).toEqual({ title, due, time, ...(repeat && { repeat }) });
  });

  test.each([
    ['매일 새벽 1시 약', '2026-11-22'],
    ['3일마다 새벽 1시 물 주기', '2026-11-24'],
    ['every weekday at 1am standup', '2026-11-23'],
    ['매주 토요일 새벽 1시 청소', '2026-11-28'],
    ['격주 새벽 1시 분리수거', '2026-12-05'],
    ['매달 21일 새벽 1시 관리비', '2026-12-21'],
    ['매달 셋째 토요일 새벽 1시 모임', '2026-12-19'],
    ['매년 11월 21일 새벽 1시 기념일', '2027-11-21'],
  ])('that comes again begins with the first time that is not past: %s', (line, due) => {
    expect(readDue(line, SATURDAY, '00:59')).toMatchObject({ due: line.includes('weekday') ? '2026-11-23' : SATURDAY, time: '01:00' });
    expect(readDue(line, SATURDAY, '01:00')).toMatchObject({ due, time: '01:00' });
  });

  test('of 29 February comes on the last day of it in years that have none, from the first on', () => {
    const repeat = { every: 'year', interval: 1, month: 2, day: 29 };
    expect(readDue('매년 2월 29일 윤일', SATURDAY)).toEqual({ title: '윤일', due: '2027-02-28', repeat });
    expect(readDue('매년 2월 29일 윤일', '2027-03-01')).toEqual({ title: '윤일', due: '2028-02-29', repeat });
  });

  test.each(HALF_READ)('is not read by half: %s', (line) => expect(readDue(line, SATURDAY)).toBeUndefined());

  test('of the beginning of a month is its first day, or today while that lasts', () => {
    const due = (today: string) => readDue('11월 초 여행', today)?.due;
    expect(['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-10', '2026-11-11'].map(due)).toEqual(['2026-11-01', '2026-11-01', '2026-11-02', '2026-11-10', '2027-11-01']);
  });

  test.each(LEFT_ALONE)('is not seen in: %s', (line) => expect(readDue(line, SATURDAY)).toBeUndefined());

  test('is not looked for in what is longer than any title', () => {
    expect(readDue(`내일 ${'물 '.repeat(2_000)}`, SATURDAY)).toBeUndefined();
  });

  test('of the weekend is Sunday once Saturday has passed', () => {
    expect(readDue('이번 주말 세차', '2026-11-22')).toEqual({ title: '세차', due: '2026-11-22' });
  });

  test('of this weekday is of the week that is now, also on the day itself', () => {
    expect(['2026-11-16', '2026-11-20', '2026-11-21', '2026-11-23'].map((today) => readDue('이번 금요일 회의', today)?.due)).toEqual(['2026-11-20', '2026-11-20', undefined, '2026-11-27']);
    expect(readDue('회의 이번 금욜 오후 3시', '2026-11-18')).toEqual({ title: '회의', due: '2026-11-20', time: '15:00' });
  });

  test.each(['다음 달 31일 정산', '정산 다음달 31일까지', 'next month 31 정산', '정산 next month on the 31st', '정산 on the 31st of next month'])('of the 31st of a shorter month is its last day: %s', (line) => {
    expect(readDue(line, '2026-10-15')).toEqual({ title: '정산', due: '2026-11-30' });
    expect(readDue(line, '2027-01-31')).toEqual({ title: '정산', due: '2027-02-28' });
    expect(readDue(line, '2026-11-15')).toEqual({ title: '정산', due: '2026-12-31' });
  });

  test('a month from its last day is the last day of a shorter one', () => {
    expect(readDue('한 달 뒤 필터 교체', '2027-01-31')).toEqual({ title: '필터 교체', due: '2027-02-28' });
    expect(readDue('31일까지 정산', '2027-02-01')).toEqual({ title: '정산', due: '2027-03-31' });
  });
});

test('a weekday is the next one, never today', () => {
  expect(nextWeekday('2026-11-20', 5)).toBe('2026-11-27');
  expect(nextWeekday('2026-11-20', 6)).toBe('2026-11-21');
});
