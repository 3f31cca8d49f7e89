/** How rare a p-value is, in figures that never round a small chance to none. */
import { number } from '../../../lib/format';

/** The smallest p-value that is told in figures. */
const LEAST = 0.0001;

/** A p-value with the digits that tell it from nothing; below the smallest, that it is. */
export function pValue(p: number): string {
  return p < LEAST ? `< ${number(LEAST, 4)}` : number(p, p < 0.01 ? 4 : 3);
}

/** What the sentences of the test say: how often in a hundred times, or than once in how many times it is rarer. */
export function evenness(p: number): { p: string; percent: string; once_in: number } {
  const once_in = [10_000, 1_000].find((times) => p < 1 / times) ?? 100;
  return { p: p < LEAST ? pValue(p) : `= ${pValue(p)}`, percent: number(p * 100), once_in };
}
