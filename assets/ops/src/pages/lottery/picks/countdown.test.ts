import { describe, expect, it } from 'vitest';
import { comingDraw, drawDay, drawPhase, isHeld } from './countdown';

describe('the week of the draw', () => {
  const next = { at: '2026-11-21T11:35:00Z', sales_close_at: '2026-11-21T11:00:00Z' };
  const at = (instant: string) => drawPhase(next, Date.parse(instant));

  it('sells until 20:00, waits until 20:35, then awaits the result', () => {
    expect(at('2026-11-20T05:35:00Z')).toBe('selling');
    expect(at('2026-11-21T10:59:59Z')).toBe('selling');
    expect(at('2026-11-21T11:00:00Z')).toBe('closed');
    expect(at('2026-11-21T11:35:00Z')).toBe('drawn');
  });

  it('has a draw every Saturday since 2002-12-07', () => {
    expect([1, 2, 1128, 1245, 1251].map(drawDay)).toEqual(['2002-12-07', '2002-12-14', '2024-07-13', '2026-10-10', '2026-11-21']);
  });

  it('comes to the next draw when one is held, and knows it without being told', () => {
    const coming = (instant: string) => comingDraw(Date.parse(instant));
    expect(coming('2026-10-17T11:34:59Z')).toBe(1246);
    expect(coming('2026-10-17T11:35:00Z')).toBe(1247);
    expect(coming('2002-12-07T11:34:59Z')).toBe(1);
    expect(coming('1990-01-01T00:00:00Z')).toBe(1);
  });

  it('is over once its hour has come, whether its result is there or not', () => {
    const held = (instant: string) => isHeld(1246, Date.parse(instant));
    expect([held('2026-10-17T11:34:59Z'), held('2026-10-17T11:35:00Z'), held('2026-11-01T00:00:00Z')]).toEqual([false, true, true]);
  });
});
