/** Which draws have been held and are not here, in words. */

import { t } from '../../../lib/i18n.svelte';
import { number } from '../../../lib/say';
import type { LatestDraw } from '../types';

/** The numbers of the missing draws, and what is computed without them. */
export function missingDraws({ draw_no, missing, missing_ranges }: Pick<LatestDraw, 'draw_no' | 'missing' | 'missing_ranges'>): { named: string; through: string } {
  const ranges = missing_ranges.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`));
  const unnamed = missing_ranges.reduce((left, { from, to }) => left - (to - from + 1), missing);
  const range = ranges.join(', ');
  return {
    named: unnamed > 0 ? t('lottery.missing.more', { count: missing, range, more: number(unnamed) }) : t('lottery.missing', { count: missing, range }),
    through: t(missing_ranges.some(({ from }) => from < draw_no) ? 'lottery.missing.without' : 'lottery.missing.through', { draw: draw_no }),
  };
}
