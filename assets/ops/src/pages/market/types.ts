/** The shapes of the market. */

import type { Schemas } from '../../lib/schema';

export type IndexQuote = Schemas['market.IndexQuote'];
export type Article = Schemas['market.Article'];
export type Price = Schemas['market.Price'];
export type Rate = Schemas['market.Rate'];
/** Where a price or a rate came from. */
export type Source = Price['source'];
