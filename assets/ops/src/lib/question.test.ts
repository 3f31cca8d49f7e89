import { expect, test } from 'vitest';
import { isMet, type Question } from './question';

test('what must be ticked and typed first is both, and the word is exactly that', () => {
  const question: Question = { title: '', consequence: '', label: '', tick: 'understood', word: '우리 집' };
  expect([isMet(question, true, ' 우리 집 '), isMet(question, false, '우리 집'), isMet(question, true, '우리'), isMet({ ...question, word: undefined, tick: undefined }, false, '')]).toEqual([true, false, false, true]);
});
