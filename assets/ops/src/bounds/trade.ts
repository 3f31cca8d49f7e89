/** The bounds of requests as the server's document says them. `npm run types` writes this file. */

export const NewAccount = {
  cash: { minimum: 0, maximum: 1000000000000 },
} as const;

export const NewOrder = {
  price: { minimum: 1, maximum: 1000000000 },
  quantity: { minimum: 1, maximum: 100000000 },
  symbol: { maxLength: 16 },
} as const;

export const trade_orders = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;
