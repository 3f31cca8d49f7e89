/** What is asked back before a purchase is written down: what looks like a slip, and may be meant. Pure. */

import type { Purchase } from '../types';

/** Tickets are sold for the coming draw; who means a later one knows it. */
const DRAWS_EXPECTED = 4;

export type Doubt =
  | { kind: 'far_off'; draw: number; weeks: number }
  | { kind: 'written'; count: number }
  | { kind: 'bundle'; games: number }
  /** In won, as they are written. */
  | { kind: 'limit'; spent: string; over: string };

export type Asked = { draw_no: number; sets: number[][]; count: number; by_tier: boolean };

/** What is doubtful about a new purchase, beside those that are written down for its draw already. */
export function doubtsAbout(asked: Asked, written: Purchase[], coming: number): Doubt[] {
  const doubts: Doubt[] = farOff([asked.draw_no], coming);
  const ofDraw = written.filter(({ draw_no }) => draw_no === asked.draw_no);
  const known = new Set(ofDraw.flatMap(({ sets }) => sets.map(nameOf)));
  const repeated = asked.sets.filter((set, place) => known.has(nameOf(set)) || asked.sets.findIndex((other) => nameOf(other) === nameOf(set)) < place);
  const bundles = ofDraw.filter(({ tier_mode }) => tier_mode !== null);
  if (asked.by_tier && bundles.length > 0) doubts.push({ kind: 'bundle', games: bundles.reduce((sum, { count }) => sum + count, 0) });
  else doubts.push(...again(repeated.length));
  return doubts;
}

/** What is doubtful about so many games whose numbers are written down for their draw. */
export function again(games: number): Doubt[] {
  return games > 0 ? [{ kind: 'written', count: games }] : [];
}

/** What is doubtful about purchases for these draws: the furthest, when nobody would have bought a ticket for it yet. */
export function farOff(draws: number[], coming: number): Doubt[] {
  const draw = Math.max(0, ...draws);
  return draw > coming + DRAWS_EXPECTED ? [{ kind: 'far_off', draw, weeks: draw - coming }] : [];
}

function nameOf(set: number[]): string {
  return [...set].sort((a, b) => a - b).join(' ');
}
