/** What a chart of the provider of quotes says of a price: the market quote rule. Nothing here touches the page. */

import type { Instant } from '../../lib/schema';

export type Quote = {
  /** The price, two decimals. */
  value: number;
  /** Price minus previous close, two decimals; null without a previous close. */
  change: number | null;
  /** That change in percent of the previous close, two decimals; null without a previous close. */
  changePercent: number | null;
  /** When it was traded last; null where the chart does not say. */
  asOf: Instant | null;
};

/**
 * The rule: the price is the regular market price, rounded to two decimals. The previous close is `previousClose`, or else
 * `chartPreviousClose`; zero is none. The change is the price minus it, the percentage that change divided by it, each
 * rounded to two decimals. Undefined where the price is absent: then there is no quote, and never a zero.
 */
export function readQuote(answer: unknown): Quote | undefined {
  const meta = at(answer, 'chart', 'result', 0, 'meta');
  const price = numberOf(at(meta, 'regularMarketPrice'));
  if (price === null) return undefined;
  const value = rounded(price);
  const close = numberOf(at(meta, 'previousClose')) || numberOf(at(meta, 'chartPreviousClose')) || null;
  const change = close === null ? null : rounded(value - close);
  const seconds = numberOf(at(meta, 'regularMarketTime'));
  return {
    value,
    change,
    changePercent: change === null || close === null ? null : rounded((change / close) * 100),
    asOf: seconds === null ? null : new Date(seconds * 1000).toISOString(),
  };
}

export const MOODS = ['extreme_fear', 'fear', 'neutral', 'greed', 'extreme_greed'] as const;
export type Mood = (typeof MOODS)[number];
/** How afraid or greedy the market is, from 0 to 100. */
export type Sentiment = { score: number; mood: Mood; before: number | null; asOf: Instant | null };

/** What the provider of sentiment says; undefined where it names no score. Its own word counts, else the fifth in which the score lies. */
export function readSentiment(answer: unknown): Sentiment | undefined {
  const said = at(answer, 'fear_and_greed');
  const score = numberOf(at(said, 'score'));
  if (score === null) return undefined;
  const word = String(at(said, 'rating') ?? '').replaceAll(' ', '_');
  const mood = MOODS.find((one) => one === word) ?? MOODS[[25, 45, 55.0000001, 75.0000001].filter((edge) => score >= edge).length]!;
  const time = at(said, 'timestamp');
  const asOf = typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? new Date(time).toISOString() : null;
  return { score: Math.round(score), mood, before: numberOf(at(said, 'previous_close')), asOf };
}

/** Two decimals, half away from zero, of the number as it is spelled. */
function rounded(number: number): number {
  const size = Number(Math.abs(number).toPrecision(15));
  if (size < 0.001) return 0;
  const hundredths = size >= 1e15 ? size * 100 : Math.round(Number(`${size}e2`));
  return Math.sign(number) * (hundredths / 100);
}

/** A number, also in quotes; null where it is absent or none. */
function numberOf(said: unknown): number | null {
  const number = typeof said === 'string' && said.trim() !== '' ? Number(said) : said;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** What stands there in an object or a list, step by step; undefined where there is none. */
function at(of: unknown, ...steps: (string | number)[]): unknown {
  return steps.reduce<unknown>((found, step) => (typeof found === 'object' && found !== null ? (found as Record<string | number, unknown>)[step] : undefined), of);
}
