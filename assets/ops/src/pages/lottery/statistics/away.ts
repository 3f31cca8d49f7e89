/** How long a number has been away, by the draw in which it came up last. */

import { t } from '../../../lib/i18n.svelte';
import type { NumberStatistics } from '../types';

/** In words, when draw `newest` is the newest known one: of the draws since, those that are not known may have had it. */
export function awayInWords({ last_seen, gap }: Pick<NumberStatistics, 'last_seen' | 'gap'>, newest: number): string {
  if (last_seen === null) return t('lottery.away.never', { count: gap });
  if (gap === 0) return t('lottery.away.now', { draw: last_seen });
  return t(newest - last_seen === gap ? 'lottery.away' : 'lottery.away.known', { draw: last_seen, count: gap });
}
