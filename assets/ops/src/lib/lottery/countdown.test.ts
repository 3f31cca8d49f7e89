import { describe, expect, it } from 'vitest';
import { countdownTo } from './countdown';

const next = { at: '2026-11-21T11:35:00Z', sales_close_at: '2026-11-21T11:00:00Z' };
const at = (instant: string) => countdownTo(next, Date.parse(instant));

describe('the countdown', () => {
  it('counts days and hours while tickets are sold', () => {
    expect(at('2026-11-20T05:35:00Z')).toEqual({ phase: 'selling', days: 1, hours: 6, minutes: 0, seconds: 0 });
  });

  it('knows that sales end at 20:00, before the draw', () => {
    expect(at('2026-11-21T11:00:00Z')).toEqual({ phase: 'closed', days: 0, hours: 0, minutes: 35, seconds: 0 });
  });

  it('stops at zero when the draw is over', () => {
    expect(at('2026-11-21T12:00:00Z')).toEqual({ phase: 'drawn', days: 0, hours: 0, minutes: 0, seconds: 0 });
  });
});
