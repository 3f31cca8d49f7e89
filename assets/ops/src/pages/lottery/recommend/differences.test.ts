import { describe, expect, it } from 'vitest';
import { differences } from './differences';
import type { Draw } from '../types';

const draw = {
  draw_no: 1245, date: '2026-10-10', numbers: [4, 5, 25, 28, 32, 42], bonus: 12, total_sales: 1_000,
  prizes: [1, 2, 3, 4, 5].map((rank) => ({ rank, winners: rank, prize_each: 1_000 * rank })),
  first_prize_methods: { auto: 1, manual: 0, semi_auto: 0 }, published: 'complete',
} as Draw;

describe('two versions of a draw', () => {
  it('differ in nothing when they are alike', () => {
    expect(differences(draw, { ...draw })).toEqual([]);
  });

  it('differ where a value is another one, and where it is lost', () => {
    const after: Draw = { ...draw, bonus: 13, total_sales: null, prizes: draw.prizes.map((prize) => (prize.rank === 2 ? { rank: 2, winners: null, prize_each: null } : prize)) };
    const found = differences(draw, after);
    expect(found.map(({ id }) => id)).toEqual(['bonus', 'total_sales', 'winners 2', 'prize 2']);
    expect(found[0]).toMatchObject({ before: '12', after: '13' });
    expect(found.slice(1).every((one) => one.before !== undefined && one.after === undefined)).toBe(true);
    expect(new Set(found.map(({ name }) => name)).size).toBe(4);
  });
});
