/** What the games of a reviewed draw came to. */
import type { Review } from '../types';

/** The net over the games whose prize is known; undefined without any: what is not entered yet is no zero. */
export function knownNet({ games, waiting_games, net }: Review['purchases']): number | undefined {
  return waiting_games < games ? net : undefined;
}
