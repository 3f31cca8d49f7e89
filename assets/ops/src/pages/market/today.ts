/** The market's part of Today: the indices. */

import type { TodayPart } from '../../lib/section';

export default { changes: ['market'], cards: [{ id: 'indices', name: 'market.today.title', card: () => import('./TodayCard.svelte') }] } satisfies TodayPart;
