/**
 * The steps in which the Korea Exchange quotes prices, in won (KRX business regulation, quotation units). A rule holds from
 * its day on. Trades between two steps are real (mid-price orders): check orders by them, never what was traded.
 */

import type { Day } from './schema';

/** Shares of a market; `FUND` is an ETF or an ETN, on whichever market. */
export type Quoted = 'KOSPI' | 'KOSDAQ' | 'KONEX' | 'FUND';

/** Below a price, a step; the last one holds for everything above. */
type Steps = readonly (readonly [below: number, step: number])[];

const SHARES_SINCE_2023: Steps = [[2_000, 1], [5_000, 5], [20_000, 10], [50_000, 50], [200_000, 100], [500_000, 500], [Infinity, 1_000]];
const KOSPI_BEFORE: Steps = [[1_000, 1], [5_000, 5], [10_000, 10], [50_000, 50], [100_000, 100], [500_000, 500], [Infinity, 1_000]];
const KOSDAQ_BEFORE: Steps = [[1_000, 1], [5_000, 5], [10_000, 10], [50_000, 50], [Infinity, 100]];
const FUND_SINCE_2023: Steps = [[2_000, 1], [Infinity, 5]];
const FUND_BEFORE: Steps = [[Infinity, 5]];

/** The newest first: from which day on which steps hold. The day of the funds is that of December 2023 that was reported most. */
const RULES: Record<Quoted, readonly { from: Day; steps: Steps }[]> = {
  KOSPI: [{ from: '2023-01-25', steps: SHARES_SINCE_2023 }, { from: '', steps: KOSPI_BEFORE }],
  KOSDAQ: [{ from: '2023-01-25', steps: SHARES_SINCE_2023 }, { from: '', steps: KOSDAQ_BEFORE }],
  KONEX: [{ from: '2023-01-25', steps: SHARES_SINCE_2023 }, { from: '', steps: KOSDAQ_BEFORE }],
  FUND: [{ from: '2023-12-11', steps: FUND_SINCE_2023 }, { from: '', steps: FUND_BEFORE }],
};

/** The step at a price in won, today or on `day`: `tickSize(72_300)` is 100. */
export function tickSize(price: number, quoted: Quoted = 'KOSPI', day: Day = '9999-12-31'): number {
  const { steps } = RULES[quoted].find(({ from }) => day >= from)!;
  return steps.find(([below]) => price < below)![1];
}

/** Whether an order can name the price. */
export function isOnTick(price: number, quoted: Quoted = 'KOSPI', day?: Day): boolean {
  return Number.isInteger(price) && price > 0 && price % tickSize(price, quoted, day) === 0;
}

/** The highest price that an order can name which is not above `price`. */
export function downToTick(price: number, quoted: Quoted = 'KOSPI', day?: Day): number {
  const step = tickSize(price, quoted, day);
  return Math.floor(price / step) * step;
}
