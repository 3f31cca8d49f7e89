import { describe, expect, it } from 'vitest';
import { ballBand, gamePrice, metricsOf, paidBack, parseSets, sameSet, setsAsText } from './numbers';

describe('typed combinations', () => {
  it('takes one game per line, however the numbers are divided, and sorts them', () => {
    const typed = parseSets('44 3 12 19 34 41\n6,15,27,33,40,45\n1-11-28-36-39-43\n\n');
    expect(typed.problems).toEqual([]);
    expect(typed.sets).toEqual([
      [3, 12, 19, 34, 41, 44],
      [6, 15, 27, 33, 40, 45],
      [1, 11, 28, 36, 39, 43],
    ]);
  });

  it('passes over the label that a ticket prints before the numbers', () => {
    expect(parseSets('A 자동 03 12 19 34 41 44').sets).toEqual([[3, 12, 19, 34, 41, 44]]);
    expect(parseSets('b) 3 12 19 34 41 44').sets).toEqual([[3, 12, 19, 34, 41, 44]]);
  });

  it('takes twelve digits in a row as six numbers of two', () => {
    expect(parseSets('031219344144').sets).toEqual([[3, 12, 19, 34, 41, 44]]);
    expect(parseSets('031219 344144').sets).toEqual([[3, 12, 19, 34, 41, 44]]);
  });

  it('says which line is wrong and why, and keeps the others', () => {
    const typed = parseSets('1 2 3 4 5\n1 2 3 4 5 46\n1 2 3 4 5 5\n1 2 3 four 5 6\n1 2 3 4 5 6');
    expect(typed.sets).toEqual([[1, 2, 3, 4, 5, 6]]);
    expect(typed.problems).toEqual([
      { line: 1, code: 'count', detail: '5' },
      { line: 2, code: 'range', detail: '46' },
      { line: 3, code: 'repeated', detail: '5' },
      { line: 4, code: 'not_a_number', detail: 'four' },
    ]);
  });

  it('are read back from their own text', () => {
    const sets = [[1, 2, 3, 4, 5, 6], [3, 12, 19, 34, 41, 44]];
    expect(parseSets(setsAsText(sets)).sets).toEqual(sets);
  });
});

describe('the shape of a combination', () => {
  it('of draw 1245 is what the draw itself shows', () => {
    expect(metricsOf([42, 4, 5, 25, 28, 32])).toEqual({
      sum: 136, odd: 2, even: 4, low: 2, high: 4, min: 4, max: 42, range: 38,
      consecutive_pairs: 1, last_digits: 4, zones: [2, 0, 2, 1, 1],
    });
  });

  it('gives the ball colours of the draw at their edges', () => {
    expect([1, 10, 11, 20, 21, 30, 31, 40, 41, 45].map(ballBand)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  });

  it('is the same whatever the order', () => {
    expect(sameSet([1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1])).toBe(true);
    expect(sameSet([1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 7])).toBe(false);
  });
});

it('takes 2,000 won for a game of the first draws', () => {
  expect([1, 87, 88, 1246].map(gamePrice)).toEqual([2_000, 2_000, 1_000, 1_000]);
});

it('says what comes back of a game of today in whole won', () => {
  expect([0, 0.5, 0.48731, 1].map(paidBack)).toEqual([0, 500, 487, 1_000]);
});
