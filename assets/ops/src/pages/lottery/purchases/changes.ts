/** What a changed purchase sends: only what was changed, so that nothing the form did not show is written over. */
import type { Purchase } from '../types';

/** A purchase as the form has it. */
export interface TypedPurchase {
  draw_no: number;
  /** The games, where their numbers were kept. */
  sets?: number[][];
  /** How many games, where they were not. */
  count?: number;
  /** Won; null while it is not known; left out where the form does not ask for it. */
  prize?: number | null;
  /** Won paid. */
  amount: number;
  note: string;
}

/** The fields of `typed` that differ from `before`. A prize belongs to its draw and games: with others it is sent again. */
export function changesOf(before: Purchase, typed: TypedPurchase) {
  const { draw_no, sets, count, prize, amount, note } = typed;
  const otherDraw = draw_no !== before.draw_no;
  const rest = {
    ...(otherDraw && { draw_no }),
    ...(amount !== before.amount && { amount }),
    ...(note !== before.note && { note }),
  };
  if (sets !== undefined) {
    const same = before.numbers_known && String(sets) === String(before.sets);
    return same ? rest : { ...rest, sets };
  }
  const prizeStays = prize === undefined || (prize === before.prize && (prize === null || !(otherDraw || before.numbers_known)));
  const withPrize = { ...rest, ...(!prizeStays && { prize }) };
  const same = count === undefined || (!before.numbers_known && count === before.count);
  return same ? withPrize : { ...withPrize, count };
}
