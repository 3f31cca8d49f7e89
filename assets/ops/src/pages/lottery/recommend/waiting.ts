/** What waits for a decision: one for each draw and source, however many of its values contradict. */

import type { LatestDraw } from '../types';

type Conflict = LatestDraw['conflicts'][number];
type Undecided = LatestDraw['undecided'][number];
type Named = Pick<Conflict, 'draw_no' | 'source'>;

export type Waiting = Named & {
  conflicts: Conflict[];
  /** Both draws, where the received one was kept whole. */
  whole: Undecided | undefined;
};

export const keyOf = ({ draw_no, source }: Named): string => `${draw_no}/${source}`;

/** The decisions that `conflicts` ask for, in their order. */
export function waitingIn(conflicts: Conflict[], undecided: Undecided[]): Waiting[] {
  const found = new Map<string, Waiting>();
  for (const conflict of conflicts) {
    const { draw_no, source } = conflict;
    const key = keyOf(conflict);
    const before = found.get(key) ?? { draw_no, source, conflicts: [], whole: undecided.find((one) => keyOf(one) === key) };
    found.set(key, { ...before, conflicts: [...before.conflicts, conflict] });
  }
  return [...found.values()];
}
