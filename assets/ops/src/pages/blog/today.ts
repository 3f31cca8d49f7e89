/** The blog's part of Today: what is being written, and what readers were given last. */

import type { TodayPart } from '../../lib/section';

export default {
  changes: ['blog'],
  cards: [{ id: 'blog', name: 'blog.today.title', card: () => import('./TodayCard.svelte') }],
} satisfies TodayPart;
