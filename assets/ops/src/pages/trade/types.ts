/** The shapes of the orders. */

import type { Listing, Market } from '../../lib/listed';
import type { Schemas } from '../../lib/schema';

export type { Listing, Market };
export type Balance = Schemas['trade.Balance'];
export type Holding = Schemas['trade.BalanceHolding'];
export type Order = Schemas['trade.Order'];
export type Preview = Schemas['trade.Preview'];
export type OrderStatus = Order['status'];
export type Side = Order['side'];

/** What an order is to be of. */
export type Wanted = { symbol: string; name: string; market: Market | null; side: Side };

/** Of which something may still be done. */
export const OPEN: readonly OrderStatus[] = ['sending', 'open', 'partially_filled', 'unknown'];
