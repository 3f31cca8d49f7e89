/** What the orders offer on every page. */

import type { Offers } from '../../lib/section';

export default {
  badge: { changes: ['trade'], count: ({ trade }) => trade.open_orders, name: 'trade.badge' },
  words: 'trade.palette.words',
  actions: [{ name: 'trade.action.order', words: 'trade.action.order.words', icon: 'plus', open: '/trade?new=1' }],
} satisfies Offers;
