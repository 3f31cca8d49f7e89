/** What the plants offer on every page. */

import type { Offers } from '../../lib/section';

export default {
  actions: [{ name: 'plants.action.add', icon: 'plus', open: '/plants?new=1' }],
} satisfies Offers;
