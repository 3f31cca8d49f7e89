/** What Today offers on every page. */

import type { Offers } from '../../lib/section';

export default {
  actions: [{ name: 'today.action.arrange', words: 'today.action.arrange.words', icon: 'settings', open: '/?arrange=1' }],
} satisfies Offers;
