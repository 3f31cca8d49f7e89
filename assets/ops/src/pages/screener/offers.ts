/** What the screener offers on every page. */

import type { Offers } from '../../lib/section';

export default {
  words: 'screener.palette.words',
  innerWords: { '/runs': 'screener.palette.runs.words' },
} satisfies Offers;
