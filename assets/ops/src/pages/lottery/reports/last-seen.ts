/** In which draws overdue numbers came up last. */

import { t } from '../../../lib/i18n.svelte';

/** Those draws in words, in the order of the numbers: null of one that never came up. */
export function lastSeen(numbers: number[], draws: (number | null)[]): string {
  const each = numbers.map((number, index) => {
    const draw = draws[index] ?? null;
    return draw === null ? t('lottery.report.overdue.never', { number }) : t('lottery.report.overdue.draw', { number, draw });
  });
  return t('lottery.report.overdue.seen', { each: each.join(', ') });
}
