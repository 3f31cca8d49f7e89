/** The purchases, as the pages read and send them. */
import type { Ratio } from './types';

export interface SetResult {
  numbers: number[];
  rank: number | null;
  matched: number[];
  bonus_matched: boolean;
  prize: number | null;
}

export type TierMode = 'core' | 'core_bonus' | 'core_bonus_extended' | 'full';

/** `waiting`: the draw is not known yet; `checked`: compared with the draw; `manual`: the numbers were not kept. */
export interface Purchase {
  id: number;
  draw_no: number;
  sets: number[][];
  count: number;
  numbers_known: boolean;
  amount: number;
  note: string;
  created_at: string;
  tier_mode: TierMode | null;
  status: 'waiting' | 'checked' | 'manual';
  results: SetResult[];
  prize: number | null;
  net: number | null;
}

/** What `POST /api/lotto/purchase` and `PUT /api/lotto/purchase/{id}` take: sets, or a count with a prize by hand. */
export interface PurchaseInput {
  draw_no: number;
  sets?: number[][];
  count?: number;
  amount?: number;
  note?: string;
  prize?: number | null;
}

/** `GET /api/lotto/purchase/stats`. */
export interface PurchaseStats {
  total_records: number;
  total_games: number;
  total_invested: number;
  total_prize: number;
  net: number;
  return_rate: number;
  prize_count: number;
  max_prize: number;
  waiting: number;
  by_rank: { rank: number; count: number; prize: number }[];
  chance: { expected_prizes: number; expected_return_rate: number };
  by_draw: { draw_no: number; invested: number; prize: number }[];
}

/** `GET /api/lotto/analysis/personal`. */
export interface Personal {
  total_analyzed: number;
  number_frequency: Record<string, number>;
  top_picks: number[];
  least_picks: number[];
  pattern: {
    avg_odd_count: number;
    avg_sum: number;
    avg_range: number;
    consecutive_rate: number;
    zone_avg: Record<string, number>;
  };
  vs_draw_avg: { odd_diff: number; sum_diff: number; odd_tendency: string; sum_tendency: string };
  birthday_share: number;
  co_winners: Ratio;
}
