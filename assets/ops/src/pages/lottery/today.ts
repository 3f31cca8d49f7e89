/** The lottery's part of Today: draws that are missing or wait for a decision, a draw that comes near, and the card of both. */

import { api, call } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import type { Today } from '../../lib/schema';
import type { Need, TodayPart } from '../../lib/section';
import TodayCard from './TodayCard.svelte';

/** A coming draw is worth a line when its sales close within two days. */
const DRAW_IS_NEAR_MS = 2 * 86_400_000;

export default {
  changes: ['draws', 'purchases', 'recommendations'],
  needs,
  cards: [{ card: TodayCard, wide: true }],
} satisfies TodayPart;

function needs({ draw: { missing, next_draw, picks, undecided } }: Today, now: number): Need[] {
  const found: Need[] = [];
  if (missing > 0) {
    const sync = () => call(api.POST('/api/lotto/sync'));
    found.push({
      id: 'missing', rank: 30, name: 'lottery.today.need.draws', text: t('lottery.today.missing', { count: missing }),
      act: { label: t('lottery.today.do.sync'), run: sync, done: 'lottery.action.syncing' },
    });
  }
  if (undecided > 0) {
    const text = t('lottery.today.undecided', { count: undecided });
    found.push({ id: 'undecided', rank: 35, name: 'lottery.today.need.undecided', text, act: { open: '/lottery' } });
  }
  const closesIn = Date.parse(next_draw.sales_close_at) - now;
  const hasPicks = picks.some(({ for_draw }) => for_draw === next_draw.draw_no);
  if (hasPicks && closesIn > 0 && closesIn < DRAW_IS_NEAR_MS) {
    const text = t('lottery.today.picks_ready', { draw: next_draw.draw_no });
    found.push({ id: 'picks', rank: 60, name: 'lottery.today.need.before_draw', text, act: { open: '/lottery' } });
  }
  return found;
}
