/** Gathers what the browser's own Monte Carlo needs from the published figures, and runs it in its worker. */
import { api, call } from '../../../lib/api';
import type { Parameters } from '../types';
import { LOCAL_CANDIDATES, type LocalRecommendation } from './local-monte-carlo';
import { recommendInBrowser } from './local-monte-carlo-client';
import { freshSeed } from '../picks/seeded-random';

/** Recommends without the compute host; a null seed is chosen here. Rejects when the statistics cannot be had either. */
export async function recommendHere(parameters: Parameters, seed: number | null): Promise<LocalRecommendation> {
  const [stats, recent_draws] = await Promise.all([call(api.GET('/api/lotto/stats')), recentDraws(parameters.recent_window)]);
  return recommendInBrowser({
    seed: seed ?? freshSeed(),
    candidates: LOCAL_CANDIDATES,
    parameters,
    numbers: stats.numbers.map(({ number, gap, count, recent_count }) => ({ number, gap, count, recent_count })),
    recent_draws,
    sum_mean: stats.sums.expected_mean,
    sum_deviation: stats.sums.expected_standard_deviation,
  });
}

/** The last draws, newest first. They only sharpen the recent window, so without them the statistics' own one serves. */
async function recentDraws(window: number): Promise<number[][]> {
  try {
    const { draws } = await call(api.GET('/api/lotto/draws', { params: { query: { limit: window } } }));
    return draws.map((draw) => draw.numbers);
  } catch {
    return [];
  }
}
