/** The bounds of requests as the server's document says them. `npm run types` writes this file. */

export const SettingsChanges = {
  limit: { minimum: 1, maximum: 500 },
  name: { minLength: 1, maxLength: 80 },
  nodes: { maxItems: 30 },
} as const;

export const screener_bars = {
  days: { minimum: 1, maximum: 500 },
} as const;

export const screener_import = {
  name: { maxLength: 200 },
} as const;

export const screener_run_show = {
  symbol: { minLength: 1, maxLength: 16 },
} as const;

export const screener_runs = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;
