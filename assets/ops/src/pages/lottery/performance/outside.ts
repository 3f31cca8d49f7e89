/** Which methods stand outside of chance. */

import type { MethodPerformance } from '../types';

/** How many of them lie outside the range in which 95 of 100 fair histories stay. */
export function missing(methods: Pick<MethodPerformance, 'ratio_to_chance'>[]): number {
  return methods.filter(({ ratio_to_chance: { low, high } }) => low > 1 || high < 1).length;
}
