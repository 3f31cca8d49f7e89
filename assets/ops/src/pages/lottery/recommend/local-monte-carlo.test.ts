import { describe, expect, it } from 'vitest';
import { recommendLocally, SMALLEST_POOL, type LocalRequest } from './local-monte-carlo';
import { parseSeed, seededRandom } from '../picks/seeded-random';

const request = (changes: Partial<LocalRequest> = {}): LocalRequest => ({
  seed: 7,
  candidates: 5_000,
  parameters: { recent_window: 50, recent_weight: 0.5, avoid_recent_k: 3 },
  numbers: Array.from({ length: 45 }, (_, index) => ({
    number: index + 1, gap: index % 15, count: 160 + ((index * 7) % 12), recent_count: (index * 5) % 11,
  })),
  recent_draws: [],
  sum_mean: 138,
  sum_deviation: 29.9,
  ...changes,
});

describe('the browser’s own Monte Carlo', () => {
  it('gives the same six numbers for the same seed, and others for another', () => {
    expect(recommendLocally(request())).toEqual(recommendLocally(request()));
    const seeds = [1, 2, 3, 4, 5, 6].map((seed) => recommendLocally(request({ seed, candidates: 50 })).numbers.join());
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });

  it('gives six different numbers from 1 to 45, ascending', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const { numbers } = recommendLocally(request({ seed, candidates: 10 }));
      expect(new Set(numbers).size).toBe(6);
      expect(numbers.every((number, index) => number >= 1 && number <= 45 && number > (numbers[index - 1] ?? 0))).toBe(true);
    }
  });

  it('avoids what came up in the last draws', () => {
    const asked = request({ parameters: { recent_window: 50, recent_weight: 0.5, avoid_recent_k: 5 } });
    const { numbers, avoided } = recommendLocally(asked);
    expect(avoided).toHaveLength(15);
    expect(numbers.filter((number) => avoided.includes(number))).toEqual([]);
  });

  it('avoids less when fewer than twelve numbers would remain', () => {
    const numbers = request().numbers.map((stat) => ({ ...stat, gap: stat.number <= 10 ? 9 : stat.number <= 20 ? 4 : 0 }));
    const { avoided } = recommendLocally(request({ numbers, parameters: { recent_window: 50, recent_weight: 0.5, avoid_recent_k: 8 } }));
    expect(45 - avoided.length).toBeGreaterThanOrEqual(SMALLEST_POOL);
    expect(avoided).toHaveLength(25);
  });

  it('follows the recent draws when they alone count', () => {
    const favourites = [5, 14, 23, 32, 41, 8];
    const { numbers } = recommendLocally(request({
      candidates: 60_000,
      parameters: { recent_window: 20, recent_weight: 1, avoid_recent_k: 0 },
      recent_draws: Array.from({ length: 20 }, () => favourites),
    }));
    expect(numbers.filter((number) => favourites.includes(number)).length).toBeGreaterThanOrEqual(4);
  });

  it('scores more candidates never worse', () => {
    expect(recommendLocally(request({ candidates: 5_000 })).score).toBeGreaterThanOrEqual(recommendLocally(request({ candidates: 500 })).score);
  });

  it('explains its score by terms that add up to it', () => {
    const { score, terms } = recommendLocally(request());
    expect(terms.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 12);
  });
});

describe('the seeded generator', () => {
  it('spreads evenly', () => {
    const next = seededRandom(2026);
    const counts = new Array<number>(45).fill(0);
    for (let draw = 0; draw < 90_000; draw += 1) {
      const value = next(45);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    const chiSquare = counts.reduce((sum, count) => sum + (count - 2_000) ** 2 / 2_000, 0);
    // 44 degrees of freedom: 99.9 % of fair generators stay below 78.7.
    expect(chiSquare).toBeLessThan(78.7);
  });

  it('uses all 53 bits of a seed', () => {
    const first = (seed: number) => Array.from({ length: 4 }, ((next) => () => next(1_000_000))(seededRandom(seed))).join();
    expect(first(1)).not.toBe(first(1 + 2 ** 32));
  });

  it('takes a typed seed only when a JSON number carries it exactly', () => {
    expect(parseSeed('')).toBeNull();
    expect(parseSeed(' 42 ')).toBe(42);
    expect(parseSeed('9007199254740991')).toBe(9007199254740991);
    expect(parseSeed('9007199254740993')).toBeUndefined();
    expect(parseSeed('-1')).toBeUndefined();
    expect(parseSeed('abc')).toBeUndefined();
  });
});
