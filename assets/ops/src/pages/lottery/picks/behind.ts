/** What was picked before newer draws came in: what it says of the last draws was true of those that it knew. */

import { either, t } from '../../../lib/i18n.svelte';
import type { CombinedRecommendation, LatestDraw } from '../types';

type Picked = Pick<CombinedRecommendation, 'based_on_draw' | 'for_draw'>;
type Reason = { code: string; text_ko: string; text_en: string };

/** Reasons that tell of the last draws, or of all of them. */
const OF_DRAWS = ['frequent_recently', 'long_gap', 'avoids_recent', 'frequent', 'frequent_pairs'];

/** How many draws have come in that `picked` does not know, while the draw that it is for is still to come. */
export function drawsSince({ based_on_draw, for_draw }: Picked, latest: Pick<LatestDraw, 'draw_no' | 'missing_ranges'> | undefined): number {
  if (!latest || for_draw <= latest.draw_no) return 0;
  const absent = latest.missing_ranges.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, latest.draw_no) - Math.max(from, based_on_draw + 1) + 1), 0);
  return Math.max(0, latest.draw_no - based_on_draw - absent);
}

/** A reason in the reader's words, with the draw up to which it is true where newer ones have come in since. */
export function reasonOf(reason: Reason, picked: Picked, since: number): string {
  const text = either(reason, 'text');
  return since > 0 && OF_DRAWS.includes(reason.code) ? t('lottery.behind.reason', { draw: picked.based_on_draw, text }) : text;
}
