/** What the plants offer on every page. */

import type { Offers } from '../../lib/section';

export default {
  search: { kind: 'plant', example: 'plants.palette.example' },
  actions: [{ name: 'plants.action.add', icon: 'plus', open: '/plants?new=1' }],
} satisfies Offers;
