import { beforeAll, expect, test } from 'vitest';
import { loadMessages } from '../../../lib/i18n.svelte';
import { missingDraws } from './missing';

beforeAll(() => Promise.all([loadMessages('lottery'), loadMessages('recommend')]));

const latest = (missing: number, ...missing_ranges: [number, number][]) => ({
  draw_no: 1245, missing, missing_ranges: missing_ranges.map(([from, to]) => ({ from, to })),
});

test('missing draws are named by their own numbers, wherever they are', () => {
  expect(missingDraws(latest(1, [812, 812]))).toEqual({
    named: '추첨 결과 1회분이 없습니다(812회).', through: '아래 값은 모두 없는 회차를 제외하고 1245회까지의 데이터로 계산했습니다.',
  });
  expect(missingDraws(latest(2, [1246, 1247]))).toEqual({
    named: '추첨 결과 2회분이 없습니다(1246–1247회).', through: '아래 값은 모두 1245회까지의 데이터로 계산했습니다.',
  });
  expect(missingDraws(latest(5, [7, 7], [811, 813], [1246, 1246])).named).toBe('추첨 결과 5회분이 없습니다(7, 811–813, 1246회).');
});

test('of many holes those that are not named are counted', () => {
  expect(missingDraws(latest(9, [1, 2], [5, 5])).named).toBe('추첨 결과 9회분이 없습니다(1–2, 5회 외 6회분).');
});
