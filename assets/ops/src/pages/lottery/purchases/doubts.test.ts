import { expect, test } from 'vitest';
import type { Purchase } from '../types';
import { doubtsAbout, farOff } from './doubts';

const COMING = 1251;
const SET = [1, 7, 15, 24, 33, 45];

function purchase(over: Partial<Purchase>): Purchase {
  return {
    id: 1, draw_no: COMING, sets: [], count: 1, numbers_known: true, amount: 1000, note: '', created_at: '2026-11-20T00:00:00Z', tier_mode: null,
    status: 'waiting', results: [], prize: null, net: null, tax: null, tax_at_most: false, ticket: null, ...over,
  };
}

test('a draw that is far off is asked back, the coming ones are not', () => {
  const about = (draw_no: number) => doubtsAbout({ draw_no, sets: [], count: 1, by_tier: false }, [], COMING);
  expect(about(1300)).toEqual([{ kind: 'far_off', draw: 1300, weeks: 49 }]);
  expect([about(COMING), about(COMING + 4), about(1)]).toEqual([[], [], []]);
});

test('of the draws of a file the furthest is asked back', () => {
  expect(farOff([1245, 1300, 1299], COMING)).toEqual([{ kind: 'far_off', draw: 1300, weeks: 49 }]);
  expect([farOff([1245, COMING], COMING), farOff([], COMING)]).toEqual([[], []]);
});

test('numbers that are written down for the draw, or stand twice, are asked back', () => {
  const about = (sets: number[][], written: Purchase[]) => doubtsAbout({ draw_no: COMING, sets, count: sets.length, by_tier: false }, written, COMING);
  expect(about([SET.toReversed()], [purchase({ sets: [SET] })])).toEqual([{ kind: 'written', count: 1 }]);
  expect(about([SET, SET], [])).toEqual([{ kind: 'written', count: 1 }]);
  expect(about([SET], [purchase({ draw_no: COMING - 1, sets: [SET] })])).toEqual([]);
});

test('a second bundle for a draw is asked back', () => {
  const about = (written: Purchase[]) => doubtsAbout({ draw_no: COMING, sets: [SET], count: 5, by_tier: true }, written, COMING);
  expect(about([purchase({ tier_mode: 'core', count: 3, sets: [SET] })])).toEqual([{ kind: 'bundle', games: 3 }]);
  expect(about([purchase({ sets: [[1, 2, 3, 4, 5, 6]] })])).toEqual([]);
});
