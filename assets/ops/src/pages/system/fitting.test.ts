import { expect, test } from 'vitest';
import { fitting } from './fitting';

const setting = (key: string, ko: string, about = '', editable = false) => ({ key, name: { ko, en: key }, about: { ko: about, en: '' }, editable });
const SETTINGS = [
  setting('http.request_seconds', '요청 처리 시간 한도'),
  setting('http.header_seconds', '헤더 수신 제한 시간', '아래 두 한도로 끊기지 않습니다.'),
  setting('http.requests', '초당 요청 수', '0이면 한도 없음'),
  setting('backup.upload_mib', '업로드 파일 크기', '복원할 파일의 한도입니다.', true),
  setting('lottery.monthly_limit', '월 한도', '한 달에 쓰기로 한 금액', true),
];

test('what is called so comes before what only explains itself so, and first what the household changes itself', () => {
  expect(fitting(SETTINGS, '한도').map(({ key }) => key))
    .toEqual(['lottery.monthly_limit', 'http.request_seconds', 'backup.upload_mib', 'http.header_seconds', 'http.requests']);
});

test('a setting is found by parts of its words in any order, and by its key', () => {
  expect(fitting(SETTINGS, '시간 요청').map(({ key }) => key)).toEqual(['http.request_seconds']);
  expect(fitting(SETTINGS, 'monthly')).toHaveLength(1);
  expect(fitting(SETTINGS, '없는 것')).toEqual([]);
});
