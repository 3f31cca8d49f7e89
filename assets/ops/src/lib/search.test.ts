import { expect, test } from 'vitest';
import { matches } from './search';

test('every word of the query is looked for, in any order', () => {
  expect(matches('보험 자동차', '자동차 보험 갱신')).toBe(true);
  expect(matches('보험 비행기', '자동차 보험 갱신')).toBe(false);
});

test('initial consonants find Korean words', () => {
  expect(matches('ㅂㅎ', '자동차 보험 갱신')).toBe(true);
  expect(matches('ㅋㅋ', '자동차 보험 갱신')).toBe(false);
});

test('capitals do not matter and an empty query finds everything', () => {
  expect(matches('SYS', 'system')).toBe(true);
  expect(matches('  ', 'anything')).toBe(true);
});
