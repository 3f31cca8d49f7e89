/** What the portfolio offers on every page. */

import type { Offers } from '../../lib/section';

export default {
  pageName: 'portfolio.palette.held',
  words: 'portfolio.palette.words',
  search: { kind: 'holding', name: 'portfolio.palette.holdings', example: 'portfolio.palette.example' },
  actions: [{ name: 'portfolio.action.add', words: 'portfolio.action.add.words', icon: 'plus', open: '/portfolio?add=1' }],
} satisfies Offers;
