/** The shapes of the household door. Instants are RFC 3339 in UTC, days `YYYY-MM-DD` in Asia/Seoul, won whole numbers. */

export type Instant = string;
export type Day = string;
export type Text = { text_ko: string; text_en: string };
export type Name = { name_ko: string; name_en: string };
export type Title = { title_ko: string; title_en: string };

// ---- lottery -------------------------------------------------------------

export type Interval = { low: number; high: number };
/** Relative to an average combination (1.0), with a 95 % interval. */
export type Ratio = Interval & { ratio: number };
export type Metrics = {
  sum: number; odd: number; even: number; low: number; high: number; min: number; max: number; range: number;
  consecutive_pairs: number; last_digits: number; zones: number[];
};
export type Reason = Text & { code: string };
export type Rank = 1 | 2 | 3 | 4 | 5;
export type Prize = { rank: Rank; winners: number | null; prize_each: number | null };
export type Draw = {
  draw_no: number; date: Day; numbers: number[]; bonus: number; total_sales: number | null; prizes: Prize[];
  first_prize_methods: { auto: number; manual: number; semi_auto: number } | null;
  published: 'numbers' | 'prizes' | 'complete';
};
export type NextDraw = { draw_no: number; at: Instant; sales_close_at: Instant };
export type Conflict = { draw_no: number; field: string; stored: string; received: string; source: string; seen_at: Instant };
export type Latest = Draw & {
  next_draw: NextDraw; age_days: number; missing: number; source: 'built_in' | 'operator' | 'import';
  as_of: Instant | null; stale: boolean; conflicts: Conflict[];
};

export type NumberStatistics = {
  number: number; count: number; expected: number; z: number; gap: number; average_gap: number; longest_gap: number;
  last_seen: number | null; recent_count: number; as_bonus: number;
};
export type Pair = { numbers: number[]; count: number; z: number };
export type ShapeCount = { count: number; draws: number; expected: number };
export type Statistics = {
  draws: number; from_draw: number; to_draw: number;
  numbers: NumberStatistics[];
  uniformity: { chi_square: number; degrees_of_freedom: number; p_value: number; verdict: 'uniform' | 'suspicious' };
  payback: { from_draw: number; to_draw: number; paid_out: number; sold: number; ratio: number };
  pairs: { expected: number; most: Pair[]; least: Pair[] };
  sums: {
    mean: number; standard_deviation: number; expected_mean: number; expected_standard_deviation: number;
    histogram: { from: number; to: number; count: number; expected: number }[];
  };
  odd: ShapeCount[]; low: ShapeCount[];
  zones: { zone: string; numbers: number; share: number; expected_share: number }[];
  last_digits: { digit: number; count: number; expected: number }[];
  consecutive: { pairs: number; draws: number; expected: number }[];
  odds: {
    ranks: { rank: Rank; one_in: number; probability: number; combinations: number }[];
    any_prize: { one_in: number; probability: number };
    total_combinations: number;
  };
};

export type Method = 'weighted' | 'frequency' | 'overdue' | 'pairs' | 'co_winners' | 'random';
export type Parameters = { recent_window: number; recent_weight: number; avoid_recent_k: number };
export type Versions = { code: string; model: string };
export type Recommendation = {
  numbers: number[]; score: number; seed: number; based_on_draw: number; reasons: Reason[]; metrics: Metrics; co_winners: Ratio;
  recent_overlap: { window: number; repeated_numbers: number[] };
  parameters: Parameters; history_id: number; for_draw: number; method: 'weighted';
  score_terms: { term: string; value: number }[]; versions: Versions; exact: boolean; elapsed_ms: number;
};
export type CombinedMethod = Name & {
  method: Method; numbers: number[]; score: number; reason: Reason; metrics: Metrics; co_winners: Ratio;
};
export type MergedSet = {
  numbers: number[]; score: number; votes: number; from: Method[]; reasons: Reason[]; metrics: Metrics; co_winners: Ratio;
};
export type CombinedRecommendation = {
  id: number; seed: number; based_on_draw: number; for_draw: number; created_at: Instant;
  methods: CombinedMethod[]; merged: MergedSet[]; rule: Text; versions: Versions;
};
export type HistoryEntry = {
  id: number; numbers: number[]; score: number; seed: number; based_on_draw: number; for_draw: number; method: string;
  created_at: Instant; parameters: Parameters; metrics: Metrics; co_winners: Ratio; reasons: Reason[];
  result: { rank: Rank | null; matched: number; bonus: boolean } | null;
};
export type Pick = {
  id: number; numbers: number[]; score: number; rank_in_run: number; run_id: string | number; based_on_draw: number;
  for_draw: number; created_at: Instant; metrics: Metrics; co_winners: Ratio; reasons: Reason[];
};
export type RecentPattern = {
  last3_numbers: number[][]; triple_appear: number[]; recent_sum_avg: number; recent_odd_avg: number;
};
export type Analysis = {
  draws: number; latest: Draw | null;
  hot: { number: number; z: number; recent_count: number }[];
  cold: { number: number; z: number; recent_count: number }[];
  overdue: { number: number; gap: number; average_gap: number }[];
  recent_pattern: RecentPattern; mean_sum: number; std_sum: number;
  number_stats: { number: number; frequency_pct: number; z_score: number; gap: number }[];
  pairs_hot: Pair[];
  co_winner_model: {
    draws: number; dispersion: number; fitted_through_draw: number;
    terms: (Text & { term: string; coefficient: number; low: number; high: number; effect: number })[];
  };
  scoring: (Text & { term: string; weight: number })[];
  note_ko: string; note_en: string;
};
export type Simulation = {
  run_id: string | number; seed: number; based_on_draw: number; for_draw: number; candidates: number; exact: boolean;
  elapsed_ms: number; top: { numbers: number[]; score: number }[]; best: Pick[]; versions: Versions; threads: number;
};
export type MethodPerformance = Name & {
  method: Method; checked: number; avg_correct: number; avg_correct_interval: Interval; rate_3plus: number;
  rate_3plus_interval: Interval; ratio_to_chance: Ratio; any_prize: number; any_prize_expected: number;
  prize_won: number; spent: number;
};
export type Performance = {
  total_checked: number; avg_correct: number; avg_correct_interval: Interval; expected_correct: number;
  rate_3plus: number; rate_3plus_interval: Interval; expected_rate_3plus: number;
  vs_random: { improvement_pct: number; low: number; high: number };
  methods: MethodPerformance[];
  games_needed: { edge_pct: number; confidence: number; power: number; games: number; years_at_five_a_week: number };
  from_draw: number; to_draw: number; sentence_ko: string; sentence_en: string; computed_at: Instant;
  total_combinations: number; picks: { checked: number; avg_correct: number };
};
export type Report = {
  drw_no: number; target_drw_no: number; based_on_draw: number; generated_at: Instant;
  hot_numbers: number[]; cold_numbers: number[]; overdue_numbers: number[]; recent_pattern: RecentPattern;
  recommended_sets: (Name & {
    strategy: string; numbers: number[]; description_ko: string; description_en: string; metrics: Metrics; co_winners: Ratio;
  })[];
  confidence_score: number;
  confidence_factors: { data_volume: number; pattern_consistency: number; recent_trend: number };
  jackpot: { expected_sales: number | null; note: string; note_en: string }; sentence_ko: string; sentence_en: string; seed: number;
};
export type ReportEntry = { drw_no: number; generated_at: Instant; based_on_draw: number };
export type PersonalAnalysis = {
  total_analyzed: number; number_frequency: Record<string, number>; top_picks: number[]; least_picks: number[];
  pattern: {
    avg_odd_count: number; avg_sum: number; avg_range: number; consecutive_rate: number; zone_avg: Record<string, number>;
  };
  vs_draw_avg: { odd_diff: number; sum_diff: number; odd_tendency: string; sum_tendency: string };
  birthday_share: number; co_winners: Ratio;
};
export type TierMode = 'core' | 'core_bonus' | 'core_bonus_extended' | 'full';
export type PurchaseResult = {
  numbers: number[]; rank: Rank | null; matched: number[]; bonus_matched: boolean; prize: number | null;
};
export type Purchase = {
  id: number; draw_no: number; sets: number[][]; count: number; numbers_known: boolean; amount: number; note: string;
  created_at: Instant; tier_mode: TierMode | null; status: 'waiting' | 'checked' | 'manual';
  results: PurchaseResult[]; prize: number | null; net: number | null;
};
/** A new purchase: its sets, or how many games when the numbers were not kept. */
export type PurchaseInput = { draw_no?: number; amount?: number; note?: string }
  & ({ sets: number[][] } | { count: number; prize?: number | null });
/** Fields of a purchase that change; the others stay. */
export type PurchaseChanges = PurchaseInput | { draw_no?: number; amount?: number; note?: string; prize?: number | null };
export type BulkInput = { draw_no: number; tier_mode: TierMode; sets: number | number[][]; amount: number };
export type BulkPurchase = { purchases: Purchase[]; count: number; amount: number; tier_mode: TierMode };
export type PurchaseStatistics = {
  total_records: number; total_games: number; total_invested: number; total_prize: number; net: number;
  return_rate: number; prize_count: number; max_prize: number; waiting: number;
  by_rank: { rank: Rank; count: number; prize: number }[];
  chance: { expected_prizes: number; expected_return_rate: number };
  by_draw: { draw_no: number; invested: number; prize: number }[];
};
export type Briefing = {
  draw_no: number; based_on_draw: number; created_at: Instant; headline_ko: string; headline_en: string;
  tiers: (Name & {
    tier: 'core' | 'bonus' | 'extended' | 'full';
    picks: { numbers: number[]; reason_ko: string; reason_en: string; metrics: Metrics; co_winners: Ratio }[];
  })[];
  narrative_ko: string; narrative_en: string; composer: string; seed: number;
  usage: { tokens_in: number; tokens_out: number; elapsed_ms: number };
};
export type CuratorUsage = {
  days: number; runs: number; failures: number; tokens_in: number; tokens_out: number; cost_won: number; composer: string;
  by_day: { date: Day; runs: number; tokens_in: number; tokens_out: number }[];
};
export type Review = {
  draw_no: number; date: Day; numbers: number[]; bonus: number; created_at: Instant;
  picks: {
    checked: number; avg_correct: number; expected_correct: number; best_matched: number;
    ranks: { rank: Rank; count: number }[];
    sets: {
      numbers: number[]; matched: number[] | number; rank: Rank | null;
      from: 'briefing' | 'report' | 'combined' | 'recommend' | 'best';
    }[];
  };
  purchases: { games: number; amount: number; prize: number | null; net: number | null; ranks: { rank: Rank; count: number }[] };
  sentence_ko: string; sentence_en: string; lucky_or_not: 'above' | 'as_expected' | 'below';
};

// ---- todos ---------------------------------------------------------------

export type Todo = {
  id: number; title: string; note: string; due: Day | null; done: boolean; created_at: Instant; done_at: Instant | null;
};
export type NewTodo = TodoInput & { title: string };
export type TodoInput = { title?: string; note?: string; due?: Day | null; done?: boolean };

// ---- the house itself ----------------------------------------------------

export type Household = {
  access: 'loopback' | 'passphrase' | 'open'; signed_in: boolean; passphrase_set: boolean; version: string;
};
export type Session = { id: number; created_at: Instant; last_seen_at: Instant; agent: string; current: boolean };
export type StorageState = 'ok' | 'full' | 'recovering' | 'damaged';
export type Snapshot = {
  name: string; kind: 'hourly' | 'manual' | 'migration' | 'restore'; created_at: Instant; verified_at: Instant; bytes: number;
  rows: number; store_version: number; app_version: string; sha256: string;
};
export type System = {
  version: string; started_at: Instant; data_dir: string;
  health: { live: boolean; ready: boolean; checks: { name: string; ok: boolean; message: string | null }[] };
  storage: {
    state: StorageState; store_bytes: number; blobs_bytes: number; disk_free_bytes: number | null; disk_total_bytes: number | null;
  };
  start_report: { items: { step: StartStep; what: string; elapsed_ms: number }[]; elapsed_ms: number };
  last_verified_backup: Snapshot | null;
  compute: {
    kind: 'local' | 'remote'; address: string | null; workers: number | null; queue_depth: number; queue_limit: number;
  };
  clock: { now: Instant; zone: string };
};
export type Provider = Title & {
  name: string; state: 'ok' | 'failing' | 'open' | 'unused' | 'not_configured'; last_success_at: Instant | null;
  last_failure_at: Instant | null; failure: string | null; consecutive_failures: number; retry_at: Instant | null; setting: string;
};
export type TaskStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
export type Task = Title & {
  id: string; kind: string; status: TaskStatus; progress: number; message: string; error: string | null;
  created_at: Instant; started_at: Instant | null; finished_at: Instant | null; attempts: number; run_at: Instant;
};
export type Scheduled = Title & { name: string; cron: string; last_run_at: Instant | null; next_run_at: Instant | null; last_task_id: string | null };
export type Jobs = { jobs: Task[]; total: number; schedule: Scheduled[] };
export type Setting = {
  key: string; value: string; default: string; source: 'default' | 'file' | 'environment' | 'flag'; secret: boolean;
};
export type Settings = { settings: Setting[]; file: string | null };
export type Today = {
  now: Instant;
  draw: { latest: Draw | null; next_draw: NextDraw; picks: Pick[]; missing: number };
  todos: { due: Todo[]; open_count: number; overdue_count: number };
  purchases_waiting: { draw_no: number; games: number; amount: number } | null;
  tasks: Task[]; last_verified_backup: Snapshot | null; storage_state: StorageState; providers_failing: number;
};

/** What a `changed` event can name. */
export type Subject =
  | 'todos' | 'draws' | 'purchases' | 'recommendations' | 'reports' | 'jobs' | 'backups' | 'storage' | 'household';

/** The steps of a start; each has a sentence in the catalogues. */
export type StartStep =
  | 'created' | 'opened' | 'repaired' | 'checked' | 'restore_undone' | 'rehearsed' | 'migrated' | 'jobs_recovered' | 'data_added';
