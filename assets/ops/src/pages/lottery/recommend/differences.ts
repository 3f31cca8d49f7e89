/** In what two versions of one draw differ, in the words of the page. */
import { t } from '../../../lib/i18n.svelte';
import { number, won } from '../../../lib/say';
import type { Draw } from '../types';

export interface Difference {
  /** Unique among those of two draws. */
  id: string;
  /** What differs. */
  name: string;
  /** Its value in the one; undefined where it is not known. */
  before: string | undefined;
  /** Its value in the other; undefined where it is not known there. */
  after: string | undefined;
}

/** What is different in `after`: also what is not known there any more. */
export function differences(before: Draw, after: Draw): Difference[] {
  const found: Difference[] = [];
  const compare = (id: string, name: string, said: (draw: Draw) => string | undefined) => {
    const [one, other] = [said(before), said(after)];
    if (one !== other) found.push({ id, name, before: one, after: other });
  };
  compare('numbers', t('lottery.field.numbers'), ({ numbers }) => numbers.join(' · '));
  compare('bonus', t('lottery.field.bonus'), ({ bonus }) => String(bonus));
  compare('total_sales', t('lottery.field.total_sales'), ({ total_sales }) => known(total_sales, won));
  for (const rank of [1, 2, 3, 4, 5]) {
    const of = (draw: Draw) => draw.prizes.find((prize) => prize.rank === rank);
    compare(`winners ${rank}`, t('lottery.field.winners', { rank }), (draw) => known(of(draw)?.winners, (count) => number(count)));
    compare(`prize ${rank}`, t('lottery.field.prize', { rank }), (draw) => known(of(draw)?.prize_each, won));
  }
  compare('methods', t('lottery.field.methods'), ({ first_prize_methods }) =>
    known(first_prize_methods, ({ auto, manual, semi_auto }) => t('lottery.field.methods.value', { auto, manual, semi: semi_auto })));
  return found;
}

function known<Value>(value: Value | null | undefined, said: (value: Value) => string): string | undefined {
  return value === null || value === undefined ? undefined : said(value);
}
