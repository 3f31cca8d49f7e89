/** The bounds of requests as the server's document says them. `npm run types` writes this file. */

export const NewPrice = {
  price: { maxLength: 27 },
} as const;

export const NewRate = {
  rate: { maxLength: 27 },
} as const;

export const PassphraseChange = {
  passphrase: { minLength: 8, maxLength: 200 },
} as const;

export const Setup = {
  passphrase: { minLength: 8, maxLength: 200 },
} as const;

export const TestMail = {
  to: { maxLength: 254 },
} as const;

export const file_find = {
  name: { minLength: 1, maxLength: 200 },
} as const;

export const jobs_list = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const mails_list = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const search = {
  q: { minLength: 1, maxLength: 200 },
  tag: { minLength: 1, maxLength: 100 },
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const stock_index_history = {
  days: { minimum: 1, maximum: 1500 },
} as const;

export const stock_news = {
  q: { minLength: 1, maxLength: 200 },
  category: { minLength: 1, maxLength: 40 },
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;

export const stock_symbols = {
  q: { minLength: 1, maxLength: 50 },
  limit: { minimum: 1, maximum: 500 },
} as const;

export const writes_list = {
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;
