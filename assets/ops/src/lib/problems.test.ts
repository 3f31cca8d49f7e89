import { beforeAll, expect, test, vi } from 'vitest';
import { ApiError } from './api';
import { loadMessages, setLanguage } from './i18n.svelte';
import { details, headline, sentence } from './problems';

beforeAll(async () => {
  await loadMessages('shell');
  await Promise.all(['said', 'refused', 'work'].map(loadMessages));
});

/** A refusal with what the server says of it. */
const refused = (code: string, key: string, values: Record<string, string | number | { ko: string; en: string }> = {}, retryAfter: number | null = null) =>
  new ApiError(code, 409, 'as the server says it', {}, retryAfter, { whole: { message_key: key, params: values }, fields: {} });

test('a wait is said in words, and never shorter than it is', async () => {
  const said = (seconds: number) => sentence(new ApiError('RATE_LIMITED', 429, '', {}, seconds));
  expect([said(30), said(120.5)]).toEqual(['요청이 너무 많습니다. 30초 후 다시 시도해 주세요.', '요청이 너무 많습니다. 3분 후 다시 시도해 주세요.']);
  vi.stubGlobal('document', { documentElement: {} });
  await setLanguage('en');
  expect(said(1)).toBe('Too many requests. Try again in 1 second.');
  await setLanguage('ko');
  vi.unstubAllGlobals();
});

test('over a failure stands what was not done, and nothing where nobody knows whether it was', () => {
  expect(headline(new ApiError('CONFLICT', 409, ''), '저장하지 못했습니다.')).toBe('저장하지 못했습니다.');
  expect(headline(new ApiError('UNANSWERED', 0, ''), '저장하지 못했습니다.')).toBe('');
});

test('what the server says of this case is the sentence, and stands once', () => {
  const taken = refused('CONFLICT', 'house.another_upload');
  expect(sentence(taken)).toBe('다른 백업 파일을 업로드하거나 복원하는 중입니다. 끝날 때까지 기다리거나 취소해 주세요.');
  expect(details(taken)).toEqual([]);
  expect(sentence(refused('NOT_FOUND', 'house.upload_gone'))).toBe('이 백업 파일은 더 이상 없습니다. 다른 파일을 업로드했거나, 삭제했거나, 하루가 지났거나, hanok이 다시 시작되었습니다. 변경된 내용은 없습니다.');
  expect(sentence(refused('NOT_CONFIGURED', 'house.not_set', { setting: 'lottery.sync' }))).toBe('이 기능을 쓰려면 lottery.sync 설정이 필요합니다.');
  expect(sentence(refused('STORAGE_FULL', 'house.perhaps_written'))).toBe('디스크가 가득 차서 저장되었는지 알 수 없습니다. 다시 시도하기 전에 확인해 주세요.');
});

test('whoever outside has failed is named, with what helps and when', () => {
  const who = { ko: '동행복권', en: 'The lottery operator' };
  expect(sentence(refused('UPSTREAM_UNAVAILABLE', 'house.upstream.not_reached', { who }))).toBe('동행복권: 연결할 수 없습니다. 네트워크를 확인하고 다시 가져와 주세요.');
  expect(sentence(refused('NAS_UNAVAILABLE', 'house.compute.busy', {}, 5))).toBe('계산 서버가 처리 중인 작업이 너무 많습니다. 5초 후 다시 시도해 주세요.');
  expect(sentence(refused('NAS_TIMEOUT', 'house.compute.timed_out', { seconds: 30 }, 5))).toBe('계산 서버가 30초 안에 끝내지 못했습니다. 5초 후 다시 시도해 주세요.');
});

test('where the server knows no more than the code, or has nothing that can be said here, the sentence is that of the code', () => {
  expect(sentence(refused('NOT_FOUND', 'house.no_such', { what: 'todo' }))).toBe('찾을 수 없습니다. 이미 삭제되었을 수 있습니다.');
  expect(sentence(refused('RATE_LIMITED', 'house.too_often', { seconds: 180 }, 180))).toBe('요청이 너무 많습니다. 3분 후 다시 시도해 주세요.');
  const unknown = refused('CONFLICT', 'house.of_a_later_version');
  expect([sentence(unknown), details(unknown)]).toEqual(['그사이 내용이 변경되어 처리하지 못했습니다. 새로 고친 후 확인해 주세요.', ['as the server says it']]);
  const fields = new ApiError('INVALID_INPUT', 422, '', { title: 'must not be empty' });
  expect([sentence(fields), details(fields)]).toEqual(['입력한 내용을 확인해 주세요.', ['title: must not be empty']]);
});

test('a file that is no backup is said to be that, and nothing that somebody has typed', () => {
  const error = new ApiError('INVALID_INPUT', 422, '', { file: 'is not a valid hanok backup file' }, null, { fields: { file: { message_key: 'house.must.backup_file', params: {} } } });
  expect(sentence(error)).toBe('올바른 hanok 백업 파일이 아닙니다. 백업 목록에서 다운로드한 파일을 그대로 선택해 주세요. 변경된 내용은 없습니다.');
  expect(details(error)).toEqual([]);
});
