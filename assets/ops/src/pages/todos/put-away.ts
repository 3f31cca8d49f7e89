/** Which reminders were put away on this device: another one of the household shows them on. */

import type { Instant } from '../../lib/schema';

/** When each was brought to mind as it was put away, by its id. */
export type PutAway = Record<number, Instant | null>;

const STORED = 'hanok.reminders_put_away';

export function readPutAway(): PutAway {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(STORED) ?? '{}');
    return typeof read === 'object' && read !== null ? (read as PutAway) : {};
  } catch {
    return {};
  }
}

/** Puts one away; of the others those are kept that may still be shown. */
export function putAway(before: PutAway, id: number, at: Instant | null, open: { id: number }[]): PutAway {
  const kept = Object.fromEntries(Object.entries(before).filter(([one]) => open.some((todo) => todo.id === Number(one))));
  const after = { ...kept, [id]: at };
  try {
    localStorage.setItem(STORED, JSON.stringify(after));
  } catch {
    // Storage is switched off in this browser: it is put away until the page is closed.
  }
  return after;
}
