/** The bounds of requests as the server's document says them. `npm run types` writes this file. */

export const NewBulk = {
  amount: { minimum: 0, maximum: 10000000 },
  draw_no: { minimum: 1, maximum: 9999 },
  note: { maxLength: 500 },
  sets: { minimum: 1, maximum: 1000, minItems: 1, maxItems: 100, items: { minItems: 6, maxItems: 6, items: { minimum: 1, maximum: 45 } } },
  tier_mode: { core: { sets: { minimum: 3, maximum: 3, minItems: 3, maxItems: 3 } }, core_bonus: { sets: { minimum: 5, maximum: 5, minItems: 5, maxItems: 5 } }, core_bonus_extended: { sets: { minimum: 10, maximum: 10, minItems: 10, maxItems: 10 } }, full: { sets: { minimum: 20, maximum: 20, minItems: 20, maxItems: 20 } } },
} as const;

export const NewPurchase = {
  amount: { minimum: 0, maximum: 10000000 },
  count: { minimum: 1, maximum: 1000 },
  draw_no: { minimum: 1, maximum: 9999 },
  note: { maxLength: 500 },
  numbers: { minItems: 6, maxItems: 6, items: { minimum: 1, maximum: 45 } },
  prize: { minimum: 0, maximum: 1000000000000 },
  sets: { minimum: 1, maximum: 1000, minItems: 1, maxItems: 100, items: { minItems: 6, maxItems: 6, items: { minimum: 1, maximum: 45 } } },
} as const;

export const PurchaseChanges = {
  amount: { minimum: 0, maximum: 10000000 },
  count: { minimum: 1, maximum: 1000 },
  draw_no: { minimum: 1, maximum: 9999 },
  note: { maxLength: 500 },
  numbers: { minItems: 6, maxItems: 6, items: { minimum: 1, maximum: 45 } },
  prize: { minimum: 0, maximum: 1000000000000 },
  sets: { minimum: 1, maximum: 1000, minItems: 1, maxItems: 100, items: { minItems: 6, maxItems: 6, items: { minimum: 1, maximum: 45 } } },
} as const;

export const TableToImport = {
  text: { minLength: 1, maxLength: 10000000 },
} as const;

export const TableToRead = {
  text: { minLength: 1, maxLength: 10000000 },
} as const;

export const lottery_best = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const lottery_briefing = {
  replaced: { minimum: 1, maximum: 9007199254740991 },
} as const;

export const lottery_combine = {
  seed: { minimum: 0, maximum: 9007199254740991 },
} as const;

export const lottery_combined_history = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const lottery_corrections = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const lottery_curator_usage = {
  days: { minimum: 1, maximum: 366 },
} as const;

export const lottery_decisions = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const lottery_draw_undo = {
  correction: { minimum: 1, maximum: 9007199254740991 },
} as const;

export const lottery_draws = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const lottery_history = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const lottery_purchase_months = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const lottery_purchases = {
  draw_no: { minimum: 1, maximum: 9999 },
  days: { minimum: 1, maximum: 36500 },
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const lottery_recommend = {
  recent_window: { minimum: 5, maximum: 500 },
  recent_weight: { minimum: 0, maximum: 1 },
  avoid_recent_k: { minimum: 0, maximum: 10 },
  seed: { minimum: 0, maximum: 9007199254740991 },
} as const;

export const lottery_report = {
  replaced: { minimum: 1, maximum: 9007199254740991 },
} as const;

export const lottery_reports = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const lottery_reviews = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const lottery_simulate = {
  n_candidates: { minimum: 100, maximum: 8145060 },
  top_k: { minimum: 1, maximum: 1000 },
  best_n: { minimum: 1, maximum: 100 },
  seed: { minimum: 0, maximum: 9007199254740991 },
} as const;
