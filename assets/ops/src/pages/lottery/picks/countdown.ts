/** The week of the draw: when draws are, and what can still be done before the next one. */
import type { Day } from '../../../lib/schema';
import type { NextDraw } from '../types';

/** Day of draw 1; every draw since was seven days after the one before, without exception. */
const FIRST_DRAW = Date.UTC(2002, 11, 7);
const WEEK_MS = 7 * 86_400_000;
/** 20:35 in Seoul, after the midnight of UTC on the same day. */
const HELD_AT_MS = (11 * 60 + 35) * 60_000;

/** `selling`: tickets are sold; `closed`: sales have ended, the draw is near; `drawn`: it is over, its result is awaited. */
export type DrawPhase = 'selling' | 'closed' | 'drawn';

/** Where the week stands at `now`, milliseconds since 1970. */
export function drawPhase(next: Pick<NextDraw, 'at' | 'sales_close_at'>, now: number): DrawPhase {
  if (now >= Date.parse(next.at)) return 'drawn';
  return now >= Date.parse(next.sales_close_at) ? 'closed' : 'selling';
}

/** The day of a draw, past or to come; `draw_no` counts from 1. */
export function drawDay(draw_no: number): Day {
  return new Date(FIRST_DRAW + (draw_no - 1) * WEEK_MS).toISOString().slice(0, 10);
}

/** Whether a draw has been held at `now`, milliseconds since 1970, wherever its result is. */
export function isHeld(draw_no: number, now: number): boolean {
  return draw_no < comingDraw(now);
}

/** The number of the first draw that has not been held at `now`, milliseconds since 1970. */
export function comingDraw(now: number): number {
  return Math.max(1, Math.floor((now - FIRST_DRAW - HELD_AT_MS) / WEEK_MS) + 2);
}
