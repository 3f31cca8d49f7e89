/** What the market offers on every page. */

import type { Offers } from '../../lib/section';

export default {
  words: 'market.palette.words',
  innerWords: { '/prices': 'market.palette.prices.words' },
  search: { kind: 'news', name: 'market.palette.news', example: 'market.palette.example' },
} satisfies Offers;
