/** Which methods stand outside of chance, and how often chance alone puts as many there. */

interface Method { ratio_to_chance: { low: number; high: number } }

/** How often fair histories leave no line, one line, and more lines outside. */
interface FairMisses { none: number; one: number; more: number }

/**
 * Those outside the range in which 95 of 100 fair histories stay, with the share of fair histories that leave at least `least`
 * there: one, or two where more than one is outside, as histories with three were not counted by themselves. None when all lie
 * within.
 */
export function outside<M extends Method>(methods: M[], fair: FairMisses): { methods: M[]; least: number; share: number } | null {
  const found = methods.filter(({ ratio_to_chance: { low, high } }) => low > 1 || high < 1);
  if (found.length === 0) return null;
  return found.length === 1 ? { methods: found, least: 1, share: fair.one + fair.more } : { methods: found, least: 2, share: fair.more };
}
