import { beforeAll, expect, test } from 'vitest';
import { loadMessages } from '../../../lib/i18n.svelte';
import { drawsSince, reasonOf } from './behind';

beforeAll(() => loadMessages('lottery'));

const latest = (draw_no: number, ...missing_ranges: [number, number][]) => ({ draw_no, missing_ranges: missing_ranges.map(([from, to]) => ({ from, to })) });
const picked = { based_on_draw: 1245, for_draw: 1252 };

test('draws that came in after a pick are counted, and those that are missing among them are not', () => {
  expect(drawsSince(picked, latest(1251))).toBe(6);
  expect(drawsSince(picked, latest(1251, [7, 9], [1244, 1247], [1250, 1250]))).toBe(3);
  expect(drawsSince(picked, latest(1250, [1251, 1251]))).toBe(5);
  expect(drawsSince(picked, latest(1245, [1246, 1251]))).toBe(0);
  expect(drawsSince(picked, undefined)).toBe(0);
});

test('a pick for a draw that is held is not behind', () => {
  expect(drawsSince({ based_on_draw: 1245, for_draw: 1250 }, latest(1251))).toBe(0);
});

test('what is told of the last draws names the draw up to which it was told, once others have come in', () => {
  const avoids = { code: 'avoids_recent', text_ko: '최근 3회 당첨번호를 피했습니다', text_en: 'Avoids the numbers of the last 3 draws' };
  const shape = { code: 'balanced_shape', text_ko: '흔한 모양', text_en: 'A common shape' };
  expect(reasonOf(avoids, picked, 6)).toBe('1245회까지: 최근 3회 당첨번호를 피했습니다');
  expect(reasonOf(avoids, picked, 0)).toBe('최근 3회 당첨번호를 피했습니다');
  expect(reasonOf(shape, picked, 6)).toBe('흔한 모양');
});
