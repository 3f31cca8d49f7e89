/**
 * Combinations of six: reading them from what a person types, and their shape.
 * Prizes and odds are the server's; nothing here knows a draw.
 */
import { NewPurchase } from '../../../bounds/lottery';
import type { Metrics } from '../types';

const GAME = NewPurchase.numbers;

/** The highest number of the 6/45 draw. */
export const HIGHEST_NUMBER = GAME.items.maximum;
/** Numbers in one combination. */
export const SET_SIZE = GAME.maxItems;

/** Won for one game today. */
const GAME_PRICE = 1_000;
/** Tickets are sold for at most so many draws after the coming one. */
export const DRAWS_AHEAD = 52;

/** Won for one game of a draw: 2,000 through draw 87, 1,000 since. */
export function gamePrice(draw: number): number {
  return draw < 88 ? 2_000 : GAME_PRICE;
}

/** What comes back of a game of today when `share` of its price does, in whole won. */
export function paidBack(share: number): number {
  return Math.round(share * GAME_PRICE);
}

/** The ball colour of a number as the draw shows it: 1 yellow (1–10), 2 blue, 3 red, 4 grey, 5 green (41–45). */
export function ballBand(number: number): 1 | 2 | 3 | 4 | 5 {
  return Math.min(5, Math.floor((number - 1) / 10) + 1) as 1 | 2 | 3 | 4 | 5;
}

/** A line of typed numbers that is not a combination, with what is wrong with it. */
export interface LineProblem {
  /** 1 for the first line. */
  line: number;
  code: 'count' | 'range' | 'repeated' | 'not_a_number';
  /** The offending word, or how many numbers were found. */
  detail: string;
}

export interface TypedSets {
  /** The well-formed combinations in the order of the lines, each ascending. */
  sets: number[][];
  problems: LineProblem[];
}

/**
 * Reads one combination per line, as quickly as it can be typed from a ticket: numbers divided by spaces, commas, dots,
 * slashes or hyphens, or twelve digits in a row. The label that a ticket prints before them (a letter, the way of
 * choosing in Korean) is passed over; empty lines are not counted as games.
 */
export function parseSets(text: string): TypedSets {
  const sets: number[][] = [];
  const problems: LineProblem[] = [];
  text.split(/\r?\n/).forEach((raw, index) => {
    const words = wordsOf(raw);
    if (words.length === 0) return;
    const read = readSet(words);
    if (Array.isArray(read)) sets.push(read);
    else problems.push({ line: index + 1, ...read });
  });
  return { sets, problems };
}

function wordsOf(line: string): string[] {
  const withoutLabel = line.trim().replace(/^[A-Ea-e](?=[\s.):]|$)[\s.):]*/, '').replace(/^\p{Script=Hangul}+\s*/u, '');
  const digits = withoutLabel.replace(/\s/g, '');
  if (/^\d{12}$/.test(digits) && !/\s\d\s|^\d\s|\s\d$/.test(withoutLabel)) return digits.match(/\d\d/g) ?? [];
  return withoutLabel.split(/[\s,./·-]+/).filter((word) => word !== '');
}

function readSet(words: string[]): number[] | Omit<LineProblem, 'line'> {
  const numbers: number[] = [];
  for (const word of words) {
    if (!/^\d+$/.test(word)) return { code: 'not_a_number', detail: word };
    const number = Number(word);
    if (number < 1 || number > HIGHEST_NUMBER) return { code: 'range', detail: word };
    if (numbers.includes(number)) return { code: 'repeated', detail: word };
    numbers.push(number);
  }
  if (numbers.length !== SET_SIZE) return { code: 'count', detail: String(numbers.length) };
  return ascending(numbers);
}

/** The combinations as lines that {@link parseSets} reads back. */
export function setsAsText(sets: readonly (readonly number[])[]): string {
  return sets.map((set) => set.join(' ')).join('\n');
}

/** A copy in ascending order. */
export function ascending(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}

/** Whether two combinations hold the same numbers. */
export function sameSet(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number) => b.includes(number));
}

/** The shape of a combination of six different numbers, in any order. */
export function metricsOf(set: readonly number[]): Metrics {
  const numbers = ascending(set);
  const odd = numbers.filter((number) => number % 2 === 1).length;
  const low = numbers.filter((number) => number <= 22).length;
  const min = numbers[0] ?? 0;
  const max = numbers[numbers.length - 1] ?? 0;
  return {
    sum: numbers.reduce((sum, number) => sum + number, 0),
    odd,
    even: numbers.length - odd,
    low,
    high: numbers.length - low,
    min,
    max,
    range: max - min,
    consecutive_pairs: numbers.filter((number, index) => index > 0 && number === (numbers[index - 1] ?? 0) + 1).length,
    last_digits: new Set(numbers.map((number) => number % 10)).size,
    zones: [1, 2, 3, 4, 5].map((band) => numbers.filter((number) => ballBand(number) === band).length),
  };
}
