/** What an even choice gives, to hold a household's habits against. */

import { HIGHEST_NUMBER, SET_SIZE } from '../picks/numbers';

/** From the lowest number of a game to its highest, on average, when all are equally likely: (n + 1)(k − 1) / (k + 1). */
export const RANGE_BY_CHANCE = ((HIGHEST_NUMBER + 1) * (SET_SIZE - 1)) / (SET_SIZE + 1);

/** How often a game has two neighbours by chance: all but C(n − k + 1, k) of the C(n, k) combinations. */
export const NEIGHBOURS_BY_CHANCE =
  1 - Array.from({ length: SET_SIZE }, (_, index) => (HIGHEST_NUMBER - SET_SIZE + 1 - index) / (HIGHEST_NUMBER - index)).reduce((product, share) => product * share, 1);

/** How many numbers of a game lie in a zone such as `41-45` by chance. */
export function inZoneByChance(zone: string): number {
  const [first = 0, last = 0] = zone.split('-').map(Number);
  return ((last - first + 1) * SET_SIZE) / HIGHEST_NUMBER;
}
