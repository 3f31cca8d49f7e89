/** The weekly report, the briefing and the review, as the pages read them. */
import type { Metrics, Ratio } from './types';

/** `GET /api/lotto/report/{drw_no}`. `confidence_score` (0–100) speaks of data volume and pattern; it is no probability. */
export interface Report {
  drw_no: number;
  target_drw_no: number;
  based_on_draw: number;
  generated_at: string;
  hot_numbers: number[];
  cold_numbers: number[];
  overdue_numbers: number[];
  recent_pattern: {
    last3_numbers: number[][];
    triple_appear: number[];
    recent_sum_avg: number;
    recent_odd_avg: number;
  };
  recommended_sets: {
    strategy: string;
    name_ko: string;
    name_en: string;
    numbers: number[];
    description_ko: string;
    description_en: string;
    metrics: Metrics;
    co_winners: Ratio;
  }[];
  confidence_score: number;
  confidence_factors: { data_volume: number; pattern_consistency: number; recent_trend: number };
  jackpot: { expected_sales: number | null; note: string | null } | null;
  sentence_ko: string;
  sentence_en: string;
  seed: number;
}

export interface ReportSummary {
  drw_no: number;
  generated_at: string;
  based_on_draw: number;
}

export interface BriefingTier {
  tier: 'core' | 'bonus' | 'extended' | 'full';
  name_ko: string;
  name_en: string;
  picks: { numbers: number[]; reason_ko: string; reason_en: string; metrics: Metrics; co_winners: Ratio }[];
}

/** `GET /api/lotto/briefing/latest`. */
export interface Briefing {
  draw_no: number;
  based_on_draw: number;
  created_at: string;
  headline_ko: string;
  headline_en: string;
  tiers: BriefingTier[];
  narrative_ko: string;
  narrative_en: string;
  composer: string;
  seed: number;
  usage: { tokens_in: number; tokens_out: number; elapsed_ms: number };
}

/** `GET /api/lotto/curator/usage`. */
export interface CuratorUsage {
  days: number;
  runs: number;
  failures: number;
  tokens_in: number;
  tokens_out: number;
  cost_won: number;
  composer: string;
}

export interface ReviewedSet {
  numbers: number[];
  matched: number;
  rank: number | null;
  from: 'briefing' | 'report' | 'combined' | 'recommend' | 'best';
}

/** `GET /api/lotto/review/latest`: what the picks and the purchases of a draw did against chance. */
export interface Review {
  draw_no: number;
  date: string;
  numbers: number[];
  bonus: number;
  created_at: string;
  picks: {
    checked: number;
    avg_correct: number;
    expected_correct: number;
    best_matched: number;
    ranks: { rank: number; count: number }[];
    sets: ReviewedSet[];
  };
  purchases: { games: number; amount: number; prize: number; net: number; ranks: { rank: number; count: number }[] };
  sentence_ko: string;
  sentence_en: string;
  lucky_or_not: 'above' | 'as_expected' | 'below';
}
