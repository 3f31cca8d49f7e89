/** What is listed at an exchange, as every room that deals with it names it. */

import type { Schemas } from './schema';

export type Listing = Schemas['market.Listing'];
/** Where something is listed. */
export type Market = Listing['market'];
export type Currency = Schemas['market.Rate']['currency'];

/** Every market. */
export const MARKETS: readonly Market[] = ['KOSPI', 'KOSDAQ', 'KONEX', 'ETF', 'US', 'OTHER'];
/** The currencies that a household deals in most; the server knows others. */
export const CURRENCIES: readonly Currency[] = ['KRW', 'USD', 'JPY', 'EUR', 'CNY', 'HKD', 'GBP'];
