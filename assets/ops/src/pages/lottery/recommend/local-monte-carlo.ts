/**
 * The browser's own Monte Carlo, for when the compute host is away: random combinations of six, scored from the
 * published statistics, the best one kept. It deliberately promises nothing: like every combination, its choice wins the
 * first prize once in 8,145,060.
 */
import { ascending, ballBand, HIGHEST_NUMBER, metricsOf, SET_SIZE } from '../picks/numbers';
import { seededRandom, type NextBelow } from '../picks/seeded-random';
import type { Metrics, NumberStatistics, Parameters } from '../types';

/** Combinations that are scored when nothing else is asked for. */
export const LOCAL_CANDIDATES = 20_000;
/** Fewer numbers than this are never left to choose from; `avoid_recent_k` gives way first. */
export const SMALLEST_POOL = 12;

export type LocalTerm = 'sum' | 'odd' | 'zones' | 'frequency';

/** How much each term, itself between 0 and 1, counts in the score. */
export const TERM_WEIGHTS: Record<LocalTerm, number> = { sum: 0.25, odd: 0.15, zones: 0.15, frequency: 0.45 };

export interface LocalRequest {
  seed: number;
  candidates: number;
  parameters: Parameters;
  /** Per number 1–45: draws since it was last seen, and how often it came up in all draws. */
  numbers: Pick<NumberStatistics, 'number' | 'gap' | 'count' | 'recent_count'>[];
  /** Recent draws, newest first; when empty, `recent_count` (the last 50 draws) stands in for the recent window. */
  recent_draws: number[][];
  /** The expected mean and standard deviation of the sum of six. */
  sum_mean: number;
  sum_deviation: number;
}

export interface LocalRecommendation {
  numbers: number[];
  score: number;
  terms: { term: LocalTerm; value: number }[];
  metrics: Metrics;
  seed: number;
  candidates: number;
  /** Numbers that were left out because they came up in the last draws. */
  avoided: number[];
  /** The window that was really counted, in draws. */
  recent_window: number;
}

/** The best of `candidates` random combinations; the same request gives the same answer everywhere. */
export function recommendLocally(request: LocalRequest): LocalRecommendation {
  const next = seededRandom(request.seed);
  const pool = poolOf(request);
  const window = request.recent_draws.length > 0 ? Math.min(request.parameters.recent_window, request.recent_draws.length) : 50;
  const weights = frequencyWeights(request, window);
  let best: number[] = [];
  let bestScore = -1;
  for (let candidate = 0; candidate < request.candidates; candidate += 1) {
    const set = drawSix(pool, next);
    const score = totalOf(termsOf(set, weights, request));
    if (score > bestScore) {
      bestScore = score;
      best = set.slice();
    }
  }
  return {
    numbers: ascending(best),
    score: bestScore,
    terms: termsOf(best, weights, request).map(({ term, value }) => ({ term, value: value * TERM_WEIGHTS[term] })),
    metrics: metricsOf(best),
    seed: request.seed,
    candidates: request.candidates,
    avoided: request.numbers.map(({ number }) => number).filter((number) => !pool.includes(number)),
    recent_window: window,
  };
}

/** The numbers to choose from: those not seen in the last `avoid_recent_k` draws, as long as twelve remain. */
function poolOf({ numbers, parameters }: LocalRequest): number[] {
  for (let avoided = parameters.avoid_recent_k; avoided > 0; avoided -= 1) {
    const pool = numbers.filter(({ gap }) => gap >= avoided).map(({ number }) => number);
    if (pool.length >= SMALLEST_POOL) return pool;
  }
  return numbers.map(({ number }) => number);
}

/** Per number, recent and long-run frequency (each as a share of the most frequent) mixed by `recent_weight`. */
function frequencyWeights({ numbers, parameters, recent_draws }: LocalRequest, window: number): Float64Array {
  const recent = new Float64Array(HIGHEST_NUMBER + 1);
  const long = new Float64Array(HIGHEST_NUMBER + 1);
  for (const { number, count, recent_count } of numbers) {
    long[number] = count;
    recent[number] = recent_draws.length > 0 ? 0 : recent_count;
  }
  for (const draw of recent_draws.slice(0, window)) for (const number of draw) recent[number] = (recent[number] ?? 0) + 1;
  const mostRecent = Math.max(1, ...recent);
  const mostLong = Math.max(1, ...long);
  return recent.map(
    (count, number) =>
      (parameters.recent_weight * count) / mostRecent + ((1 - parameters.recent_weight) * (long[number] ?? 0)) / mostLong,
  );
}

/** Six different numbers of the pool: the first steps of a Fisher–Yates shuffle, which leaves the pool shuffled. */
function drawSix(pool: number[], next: NextBelow): number[] {
  const set: number[] = [];
  for (let place = 0; place < SET_SIZE; place += 1) {
    const other = place + next(pool.length - place);
    const number = pool[other] ?? 0;
    pool[other] = pool[place] ?? 0;
    pool[place] = number;
    set.push(number);
  }
  return set;
}

/** The terms of a set, each between 0 (worst) and 1 (best). */
function termsOf(set: number[], weights: Float64Array, request: LocalRequest): { term: LocalTerm; value: number }[] {
  let sum = 0;
  let odd = 0;
  let zones = 0;
  let frequency = 0;
  for (const number of set) {
    sum += number;
    odd += number % 2;
    zones |= 1 << ballBand(number);
    frequency += weights[number] ?? 0;
  }
  const distance = (sum - request.sum_mean) / request.sum_deviation;
  return [
    { term: 'sum', value: Math.exp((-distance * distance) / 2) },
    { term: 'odd', value: 1 - Math.abs(odd - 3) / 3 },
    { term: 'zones', value: (bitsIn(zones) - 1) / 4 },
    { term: 'frequency', value: frequency / SET_SIZE },
  ];
}

function totalOf(terms: { term: LocalTerm; value: number }[]): number {
  return terms.reduce((total, { term, value }) => total + TERM_WEIGHTS[term] * value, 0);
}

function bitsIn(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}
