/** The lottery's part of Today: draws that are missing or wait for a decision, a draw that comes near, and the card of both. */

import { t } from '../../lib/i18n.svelte';
import { mayAskAgain, nextStep } from '../../lib/next-step';
import { age } from '../../lib/say';
import type { Today } from '../../lib/schema';
import { localized } from '../../lib/localized';
import type { Need, TodayPart } from '../../lib/section';
import { fetchDraws, OPERATOR } from './operator';

/** A coming draw is worth a line when its sales close within two days. */
const DRAW_IS_NEAR_MS = 2 * 86_400_000;

export default {
  changes: ['draws', 'purchases', 'recommendations', 'settings'],
  needs,
  steps: [{
    // The need above fetches them: one cause has one button. While the operator is away it says all that there is to say.
    id: 'fetch', name: 'lottery.step.fetch', text: ({ draw }) => t('lottery.step.fetch.text', { count: draw.missing }),
    done: ({ draw, failing_providers }) => draw.missing === 0 || failing_providers.some(isOperator),
  }],
  cards: [{ id: 'draw', name: 'lottery.name', card: () => import('./TodayCard.svelte'), wide: true }],
} satisfies TodayPart;

function isOperator({ name }: Today['failing_providers'][number]): boolean {
  return name === OPERATOR;
}

function needs({ draw: { missing, next_draw, picks, undecided }, failing_providers }: Today, now: number): Need[] {
  const found: Need[] = [];
  if (missing > 0) {
    const failing = failing_providers.find(isOperator);
    const asked = [failing?.failure_localized, failing?.retry_at ?? null, now] as const;
    const text = failing?.failure
      ? t('lottery.today.missing_because', { count: missing, cause: localized(failing.failure_localized, failing.failure), step: nextStep(...asked) }).trimEnd()
      : t('lottery.today.missing', { count: missing });
    // The sentence stays when it fails once more: that it was tried shows in this.
    const hint = failing?.last_failure_at ? t('lottery.today.tried', { age: age(failing.last_failure_at, now) }) : undefined;
    found.push({
      id: 'missing', rank: 30, name: 'lottery.today.need.draws', text, ...(hint !== undefined && { hint }), cause: failing && `provider ${failing.name}`,
      act: mayAskAgain(...asked)
        ? { label: t(failing ? 'lottery.today.do.sync_again' : 'lottery.today.do.sync'), run: fetchDraws, done: 'lottery.action.syncing' }
        : { open: '/system/providers' },
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
