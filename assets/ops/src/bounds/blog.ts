/** The bounds of requests as the server's document says them. `npm run types` writes this file. */

export const NewPost = {
  body: { maxLength: 200000 },
  excerpt: { maxLength: 500 },
  tags: { maxItems: 30, items: { minLength: 1, maxLength: 50 } },
  title: { maxLength: 300 },
} as const;

export const PostChanges = {
  body: { maxLength: 200000 },
  excerpt: { maxLength: 500 },
  tags: { maxItems: 30, items: { minLength: 1, maxLength: 50 } },
  title: { maxLength: 300 },
  version: { minimum: 1, maximum: 9007199254740991 },
} as const;

export const TextToShow = {
  body: { maxLength: 200000 },
} as const;

export const blog_list = {
  q: { minLength: 1, maxLength: 200 },
  tag: { minLength: 1, maxLength: 50 },
  limit: { minimum: 1, maximum: 500 },
  offset: { minimum: 0, maximum: 4294967295 },
} as const;
