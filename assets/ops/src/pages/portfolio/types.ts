/** The shapes of the portfolio. */

import type { Schemas } from '../../lib/schema';

export type Portfolio = Schemas['portfolio.Portfolio'];
export type Item = Schemas['portfolio.Item'];
export type Cash = Schemas['portfolio.Cash'];
export type Totals = Schemas['portfolio.PortfolioTotals'];
export type Snapshot = Schemas['portfolio.Snapshot'];
export type SellRecord = Schemas['portfolio.SellRecord'];
export type ProfitPeriod = Schemas['portfolio.ProfitPeriod'];
export type ItemsPreview = Schemas['portfolio.ItemsPreview'];

/** What an item is known by where it is deleted. */
export const HOLDING = 'holding';
/** What a sale is known by where it is deleted. */
export const SALE = 'sale';
