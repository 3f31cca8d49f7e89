/** The bounds of requests as the server's document says them. `npm run types` writes this file. */

export const CashChange = {
  broker: { minLength: 1, maxLength: 50 },
  cash: { minimum: -9007199254740991, maximum: 9007199254740991 },
} as const;

export const ItemChanges = {
  avg_price: { maxLength: 27 },
  broker: { minLength: 1, maxLength: 50 },
  buy_fx_rate: { maxLength: 27 },
  current_price: { maxLength: 27 },
  name: { minLength: 1, maxLength: 100 },
  note: { maxLength: 1000 },
  quantity: { maxLength: 27 },
  symbol: { maxLength: 16 },
} as const;

export const NewItem = {
  avg_price: { maxLength: 27 },
  broker: { minLength: 1, maxLength: 50 },
  buy_fx_rate: { maxLength: 27 },
  current_price: { maxLength: 27 },
  name: { minLength: 1, maxLength: 100 },
  note: { maxLength: 1000 },
  quantity: { maxLength: 27 },
  symbol: { maxLength: 16 },
} as const;

export const NewSale = {
  avg_cost: { maxLength: 27 },
  broker: { minLength: 1, maxLength: 50 },
  cost_fx_rate: { maxLength: 27 },
  fees: { maxLength: 27 },
  fx_rate: { maxLength: 27 },
  name: { minLength: 1, maxLength: 100 },
  note: { maxLength: 1000 },
  quantity: { maxLength: 27 },
  sell_price: { maxLength: 27 },
  symbol: { maxLength: 16 },
  tax: { maxLength: 27 },
} as const;

export const NewSnapshot = {
  total_assets: { minimum: 0, maximum: 9007199254740991 },
} as const;

export const SaleChanges = {
  avg_cost: { maxLength: 27 },
  broker: { minLength: 1, maxLength: 50 },
  cost_fx_rate: { maxLength: 27 },
  fees: { maxLength: 27 },
  fx_rate: { maxLength: 27 },
  name: { minLength: 1, maxLength: 100 },
  note: { maxLength: 1000 },
  quantity: { maxLength: 27 },
  sell_price: { maxLength: 27 },
  symbol: { maxLength: 16 },
  tax: { maxLength: 27 },
} as const;

export const SellOrder = {
  fees: { maxLength: 27 },
  fx_rate: { maxLength: 27 },
  note: { maxLength: 1000 },
  quantity: { maxLength: 27 },
  sell_price: { maxLength: 27 },
  tax: { maxLength: 27 },
} as const;

export const portfolio_sales = {
  broker: { maxLength: 50 },
  days: { minimum: 1, maximum: 36525 },
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const portfolio_snapshots = {
  days: { minimum: 1, maximum: 36525 },
} as const;
