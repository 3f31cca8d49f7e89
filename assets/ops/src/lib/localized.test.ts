import { beforeAll, expect, test, vi } from 'vitest';
import { ApiError } from './api';
import { loadMessages, setLanguage } from './i18n.svelte';
import { details } from './problems';
import { fieldName, inPieces, localized } from './localized';

beforeAll(async () => {
  await loadMessages('shell');
  await Promise.all(['said', 'refused', 'work'].map(loadMessages));
});

const SOUND = { message_key: 'house.check.sound', params: { snapshots: 3 } };

test('what the server says is said in the language that is chosen', async () => {
  const who = { ko: '동행복권', en: 'The lottery operator' };
  const away = { message_key: 'house.upstream.not_reached', params: { who } };
  expect([localized(SOUND, ''), localized(away, '')]).toEqual(['저장소와 백업 3개에 문제가 없습니다.', '동행복권: 연결할 수 없습니다.']);
  vi.stubGlobal('document', { documentElement: {} });
  await setLanguage('en');
  expect([localized(SOUND, ''), localized(away, '')]).toEqual(['The store and 3 backups are intact.', 'The lottery operator could not be reached.']);
  await setLanguage('ko');
  vi.unstubAllGlobals();
});

test('a key that this app does not know, and a sentence without one, is said as it came', () => {
  expect(localized({ message_key: 'music.too_loud', params: {} }, 'it is too loud')).toBe('it is too loud');
  expect([localized(undefined, 'as before'), localized(null, 'as before')]).toEqual(['as before', 'as before']);
});

test('several sentences are said one after the other', () => {
  const all = [SOUND, { message_key: 'house.disk_full', params: {} }] as unknown as Record<string, never>[];
  expect(localized({ message_key: 'house.all', params: { all } }, '')).toBe('저장소와 백업 3개에 문제가 없습니다. 디스크가 가득 찼습니다. 변경된 내용은 없으며 읽기는 계속할 수 있습니다.');
});

test('what counts something has its thousands apart, and the number of a draw or a year does not', () => {
  expect(localized({ message_key: 'lottery.importing', params: { done: 9000, all: 30000, added: 8950 } }, '')).toBe('30,000줄 중 9,000줄 처리, 8,950건 추가');
  expect(localized({ message_key: 'lottery.not_sold', params: { draw: 1400, coming: 1246 } }, '')).toContain('1246');
});

test('a command names the data folder that it is for', () => {
  const damaged = (values: Record<string, string>) => localized({ message_key: 'house.store_damaged', params: values }, '');
  expect(damaged({ data_dir: '/srv/hanok' })).toContain('`hanok restore --latest --data-dir /srv/hanok`');
  expect(damaged({})).toContain('`hanok restore --latest`');
});

test('what is to be typed is a piece of its own, without its backticks', () => {
  const typed = (sentence: string) => inPieces(sentence).filter(({ isTyped }) => isTyped).map(({ said }) => said);
  const sentence = localized({ message_key: 'house.store_away_kept', params: { data_dir: "'/srv/our house'" } }, '');
  expect(typed(sentence)).toEqual(["hanok restore --undo --data-dir '/srv/our house'"]);
  expect(inPieces(sentence).map(({ said }) => said).join('')).toBe(sentence.replaceAll('`', ''));
  expect(inPieces('`a` and `b')).toEqual([{ said: 'a', isTyped: true }, { said: ' and `b', isTyped: false }]);
  expect([inPieces(''), inPieces('all is well')]).toEqual([[], [{ said: 'all is well', isTyped: false }]]);
});

test('refused fields are named as people know them, with their places, and say what they must be', () => {
  const between = { message_key: 'house.must.between', params: { least: 1, most: 45 } };
  const refused = new ApiError('INVALID_INPUT', 422, '', { 'sets[3][2]': 'must be between 1 and 45', odd: 'must be even' }, null, { fields: { 'sets[3][2]': between }, owner: 'lottery' });
  expect(details(refused)).toEqual(['게임 4-3: 1~45 범위여야 합니다.', 'odd: must be even']);
});

test('a field has the name that the domain has for it which was asked, else that of the house', () => {
  expect([fieldName('title', 'todos'), fieldName('note', 'todos'), fieldName('note', 'lottery')]).toEqual(['할 일', '메모', '메모']);
  expect([fieldName('title', 'lottery'), fieldName('title'), fieldName('sets[1]')]).toEqual(['title', 'title', 'sets 2']);
  expect([fieldName('limit', 'todos'), fieldName('passphrase')]).toEqual(['개수', '집 암호']);
});
