/**
 * A small seeded generator, so that the same seed gives the same numbers in every browser.
 * The generator is sfc32 (Chris Doty-Humphrey, PractRand), which passes that test suite; it is not for secrets.
 */

import { lottery_recommend } from '../../../bounds/lottery';

/** The largest seed: seeds are whole numbers that a JSON number carries exactly. */
export const LARGEST_SEED = lottery_recommend.seed.maximum;

/** A function that gives the next whole number in `0..bound`, every value equally likely. */
export type NextBelow = (bound: number) => number;

/** A generator for `seed`, a whole number from 0 to {@link LARGEST_SEED}. */
export function seededRandom(seed: number): NextBelow {
  let a = seed >>> 0;
  let b = Math.floor(seed / 0x1_0000_0000) >>> 0;
  let c = 0x9e37_79b9;
  let counter = 1;
  const next = (): number => {
    const result = (((a + b) >>> 0) + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) >>> 0;
    c = ((c << 21) | (c >>> 11)) >>> 0;
    c = (c + result) >>> 0;
    return result;
  };
  // The author's advice: the first rounds still show the seed.
  for (let round = 0; round < 15; round += 1) next();
  return (bound) => {
    // Values above the largest multiple of `bound` would favour small results; they are drawn again.
    const limit = 0x1_0000_0000 - (0x1_0000_0000 % bound);
    let value = next();
    while (value >= limit) value = next();
    return value % bound;
  };
}

/** A fresh seed from the browser's own source of chance. */
export function freshSeed(): number {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return (words[0] ?? 0) + ((words[1] ?? 0) & 0x1f_ffff) * 0x1_0000_0000;
}

/** Reads a seed that a person typed: `null` for an empty field, `undefined` for anything that is no seed. */
export function parseSeed(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!/^\d{1,16}$/.test(trimmed)) return undefined;
  const seed = Number(trimmed);
  return seed <= LARGEST_SEED ? seed : undefined;
}
