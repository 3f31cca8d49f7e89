/** What the sections have on Today, each found by its declaration `pages/<section>/today.ts`. */

import type { Need, TodayPart } from '../../lib/section';
import type { Today } from '../../lib/schema';
import { SECTIONS } from '../../sections';

const DECLARED = import.meta.glob<TodayPart>('../*/today.ts', { eager: true, import: 'default' });

/** Each section's part, in the order of the sections. */
export const PARTS = SECTIONS.flatMap(({ room }) => {
  const part = DECLARED[`../${room}/today.ts`];
  return part ? [{ ...part, room }] : [];
});

/** What needs the household today, the most urgent first; each with an id of its own among all. */
export function needsOf(today: Today, now: number, parts = PARTS): Need[] {
  const needs = parts.flatMap(({ room, needs }) => (needs?.(today, now) ?? []).map((need) => ({ ...need, id: `${room}-${need.id}` })));
  return needs.sort((a, b) => a.rank - b.rank);
}
