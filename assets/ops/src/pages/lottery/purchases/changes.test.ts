import { describe, expect, it } from 'vitest';
import { changesOf } from './changes';
import type { Purchase } from '../types';

const counted = { draw_no: 1245, sets: [], count: 5, numbers_known: false, amount: 5_000, note: '', prize: 55_000 } as unknown as Purchase;
const kept = { ...counted, sets: [[1, 2, 3, 4, 5, 6]], count: 1, numbers_known: true, amount: 1_000, prize: 0 };

describe('what a changed purchase sends', () => {
  const unchanged = { draw_no: 1245, count: 5, amount: 5_000, note: '' };

  it('is the note alone when only the note was changed, with a prize field or without', () => {
    expect(changesOf(counted, { ...unchanged, note: '동네' })).toEqual({ note: '동네' });
    expect(changesOf(counted, { ...unchanged, prize: 55_000, note: '동네' })).toEqual({ note: '동네' });
    expect(changesOf(kept, { draw_no: 1245, sets: [[1, 2, 3, 4, 5, 6]], amount: 1_000, note: '동네' })).toEqual({ note: '동네' });
  });

  it('is a prize that was entered or cleared, and one that stays with games of another draw', () => {
    expect(changesOf(counted, { ...unchanged, prize: 5_000 })).toEqual({ prize: 5_000 });
    expect(changesOf(counted, { ...unchanged, prize: null })).toEqual({ prize: null });
    expect(changesOf(counted, { ...unchanged, draw_no: 1244, prize: 55_000 })).toEqual({ draw_no: 1244, prize: 55_000 });
    expect(changesOf(counted, { ...unchanged, draw_no: 1300 })).toEqual({ draw_no: 1300 });
  });

  it('is the games when their numbers or only their number are known now', () => {
    expect(changesOf(counted, { ...unchanged, sets: [[1, 2, 3, 4, 5, 6]], amount: 1_000 })).toMatchObject({ sets: [[1, 2, 3, 4, 5, 6]], amount: 1_000 });
    expect(changesOf(kept, { ...unchanged, prize: 0 })).toEqual({ count: 5, prize: 0, amount: 5_000 });
  });
});
