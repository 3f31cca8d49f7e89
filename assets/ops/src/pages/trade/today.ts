/** The orders' part of Today: what is open at the broker, and whether money is at stake. */

import type { TodayPart } from '../../lib/section';

export default {
  changes: ['trade'],
  cards: [{ id: 'orders', name: 'trade.today.title', card: () => import('./TodayCard.svelte') }],
} satisfies TodayPart;
