/** How long until the next draw, and what can still be done before it. */
import type { NextDraw } from './types';

export interface Countdown {
  /** `selling`: tickets are sold; `closed`: sales ended, the draw is near; `drawn`: the draw is over, its result is awaited. */
  phase: 'selling' | 'closed' | 'drawn';
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/** The time from `now` (milliseconds since 1970) to the draw; zero in every part once it is over. */
export function countdownTo(next: Pick<NextDraw, 'at' | 'sales_close_at'>, now: number): Countdown {
  const draw = Date.parse(next.at);
  const left = Math.max(0, Math.floor((draw - now) / 1000));
  const phase = now >= draw ? 'drawn' : now >= Date.parse(next.sales_close_at) ? 'closed' : 'selling';
  return { phase, days: Math.floor(left / 86_400), hours: Math.floor(left / 3_600) % 24, minutes: Math.floor(left / 60) % 60, seconds: left % 60 };
}
