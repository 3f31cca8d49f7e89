/** What the blog offers on every page. */

import type { Offers } from '../../lib/section';

export default {
  words: 'blog.words',
  actions: [{ name: 'blog.action.write', words: 'blog.action.write.words', icon: 'edit', keys: 'w', open: '/blog/write?new=1' }],
} satisfies Offers;
