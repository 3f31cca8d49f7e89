/** What a household prefers, where it has played enough for it to be told from chance. */

/** The mean sum of ten games strays by about 10 by chance alone, which is the bound of a tendency. */
const GAMES_FOR_A_TENDENCY = 10;

/** Which way `difference` from the average draw goes, or that `games` are too few to tell. */
export function tendency(games: number, difference: number, margin: number): 'more' | 'less' | 'even' | 'few' {
  if (games < GAMES_FOR_A_TENDENCY) return 'few';
  return difference > margin ? 'more' : difference < -margin ? 'less' : 'even';
}
