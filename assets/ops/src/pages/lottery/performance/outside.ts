/** Which methods stand outside of chance. */

/** How many of them lie outside the range in which 95 of 100 fair histories stay. */
export function countOutside(methods: { ratio_to_chance: { low: number; high: number } }[]): number {
  return methods.filter(({ ratio_to_chance: { low, high } }) => low > 1 || high < 1).length;
}
