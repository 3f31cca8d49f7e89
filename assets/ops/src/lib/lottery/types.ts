/**
 * The answers of the lottery routes, as the pages read them.
 *
 * Every instant is RFC 3339 in UTC, every day is `YYYY-MM-DD` in Asia/Seoul, every amount is whole won.
 * `null` means "not known" and is never shown as 0.
 */

/** A value relative to an average combination (1.0), with its 95 % interval. */
export interface Ratio {
  ratio: number;
  low: number;
  high: number;
}

/** A 95 % interval. */
export interface Interval {
  low: number;
  high: number;
}

/** The shape of a combination. `low` counts 1–22, `high` counts 23–45; `zones` are 1–10, 11–20, 21–30, 31–40, 41–45. */
export interface Metrics {
  sum: number;
  odd: number;
  even: number;
  low: number;
  high: number;
  min: number;
  max: number;
  range: number;
  consecutive_pairs: number;
  last_digits: number;
  zones: number[];
}

/** Why a combination was chosen, written by the server in both languages. */
export interface Reason {
  code: string;
  text_ko: string;
  text_en: string;
}

/** One rank of a draw; both amounts are null until the operator publishes them. */
export interface Prize {
  rank: number;
  winners: number | null;
  prize_each: number | null;
}

export interface Draw {
  draw_no: number;
  date: string;
  numbers: number[];
  bonus: number;
  total_sales: number | null;
  prizes: Prize[];
  first_prize_methods: { auto: number; manual: number; semi_auto: number } | null;
  published: 'numbers' | 'prizes' | 'complete';
}

export interface NextDraw {
  draw_no: number;
  at: string;
  sales_close_at: string;
}

/** A value that contradicts the stored one; it is kept aside, never taken over silently. */
export interface Conflict {
  draw_no: number;
  field: string;
  stored: string;
  received: string;
  source: string;
  seen_at: string;
}

/** `GET /api/lotto/latest`. */
export interface Latest extends Draw {
  next_draw: NextDraw;
  age_days: number;
  missing: number;
  source: 'built_in' | 'operator' | 'import';
  as_of: string | null;
  stale: boolean;
  conflicts: Conflict[];
}

export interface NumberStat {
  number: number;
  count: number;
  expected: number;
  z: number;
  gap: number;
  average_gap: number;
  longest_gap: number;
  last_seen: number | null;
  recent_count: number;
  as_bonus: number;
}

export interface PairStat {
  numbers: number[];
  count: number;
  z: number;
}

/** How many draws had this count, next to the exact expectation. */
export interface CountStat {
  count: number;
  draws: number;
  expected: number;
}

export interface Odds {
  ranks: { rank: number; one_in: number; probability: number; combinations: number }[];
  any_prize: { one_in: number; probability: number };
  total_combinations: number;
}

/** `GET /api/lotto/stats`. */
export interface Stats {
  draws: number;
  from_draw: number;
  to_draw: number;
  numbers: NumberStat[];
  uniformity: { chi_square: number; degrees_of_freedom: number; p_value: number; verdict: 'uniform' | 'suspicious' };
  payback: { from_draw: number; to_draw: number; paid_out: number; sold: number; ratio: number };
  pairs: { expected: number; most: PairStat[]; least: PairStat[] };
  sums: {
    mean: number;
    standard_deviation: number;
    expected_mean: number;
    expected_standard_deviation: number;
    histogram: { from: number; to: number; count: number; expected: number }[];
  };
  odd: CountStat[];
  low: CountStat[];
  zones: { zone: string; numbers: number; share: number; expected_share: number }[];
  last_digits: { digit: number; count: number; expected: number }[];
  consecutive: { pairs: number; draws: number; expected: number }[];
  odds: Odds;
}

/** The three parameters of a recommendation; all of them are sent with every request. */
export interface Parameters {
  recent_window: number;
  recent_weight: number;
  avoid_recent_k: number;
}

export interface Versions {
  code: string;
  model: string;
}

/** `GET /api/lotto/recommend`. */
export interface Recommendation {
  numbers: number[];
  score: number;
  seed: number;
  based_on_draw: number;
  for_draw: number;
  reasons: Reason[];
  metrics: Metrics;
  co_winners: Ratio;
  recent_overlap: { window: number; repeated_numbers: number[] };
  parameters: Parameters;
  history_id: number;
  method: string;
  score_terms: { term: string; value: number }[];
  versions: Versions;
  exact: boolean;
  elapsed_ms: number;
}

/** One method's set inside a combined recommendation. */
export interface MethodSet {
  method: string;
  name_ko: string;
  name_en: string;
  numbers: number[];
  score: number;
  reason: Reason;
  metrics: Metrics;
  co_winners: Ratio;
}

export interface MergedSet {
  numbers: number[];
  score: number;
  votes: number;
  from: string[];
  reasons: Reason[];
  metrics: Metrics;
  co_winners: Ratio;
}

/** `GET /api/lotto/recommend/combined`. */
export interface CombinedRecommendation {
  id: number;
  seed: number;
  based_on_draw: number;
  for_draw: number;
  created_at: string;
  methods: MethodSet[];
  merged: MergedSet[];
  rule: { text_ko: string; text_en: string };
  versions: Versions;
}

/** One entry of `GET /api/history`; `result` is null until its draw is known. */
export interface HistoryEntry {
  id: number;
  numbers: number[];
  score: number;
  seed: number;
  based_on_draw: number;
  for_draw: number;
  method: string;
  created_at: string;
  parameters: Parameters | null;
  metrics: Metrics;
  co_winners: Ratio;
  reasons: Reason[];
  result: { rank: number | null; matched: number; bonus: boolean } | null;
}

/** A stored best pick of a simulation run. */
export interface BestPick {
  id: number;
  numbers: number[];
  score: number;
  rank_in_run: number;
  run_id: number;
  based_on_draw: number;
  for_draw: number;
  created_at: string;
  metrics: Metrics;
  co_winners: Ratio;
  reasons: Reason[];
}

/** The parts of `GET /api/lotto/analysis` that the pages show. */
export interface Analysis {
  co_winner_model: {
    draws: number;
    dispersion: number;
    fitted_through_draw: number;
    terms: { term: string; text_ko: string; text_en: string; coefficient: number; low: number; high: number; effect: number }[];
  };
  scoring: { term: string; text_ko: string; text_en: string; weight: number }[];
  note_ko: string;
  note_en: string;
}

/** `POST /api/admin/simulate`. */
export interface Simulation {
  run_id: number;
  seed: number;
  based_on_draw: number;
  for_draw: number;
  candidates: number;
  exact: boolean;
  elapsed_ms: number;
  top: { numbers: number[]; score: number }[];
  best: BestPick[];
  versions: Versions;
  threads: number;
}

export interface MethodPerformance {
  method: string;
  name_ko: string;
  name_en: string;
  checked: number;
  avg_correct: number;
  avg_correct_interval: Interval;
  rate_3plus: number;
  rate_3plus_interval: Interval;
  ratio_to_chance: Ratio;
  any_prize: number;
  any_prize_expected: number;
  prize_won: number;
  spent: number;
}

/** `GET /api/lotto/stats/performance`. */
export interface Performance {
  total_checked: number;
  avg_correct: number;
  avg_correct_interval: Interval;
  expected_correct: number;
  rate_3plus: number;
  rate_3plus_interval: Interval;
  expected_rate_3plus: number;
  vs_random: { improvement_pct: number; low: number; high: number };
  methods: MethodPerformance[];
  games_needed: { edge_pct: number; confidence: number; power: number; games: number; years_at_five_a_week: number };
  from_draw: number;
  to_draw: number;
  sentence_ko: string;
  sentence_en: string;
  computed_at: string;
  picks: { checked: number; avg_correct: number };
}

export type { Briefing, BriefingTier, CuratorUsage, Report, ReportSummary, Review, ReviewedSet } from './types-reports';
export type { Personal, Purchase, PurchaseInput, PurchaseStats, SetResult, TierMode } from './types-purchases';
