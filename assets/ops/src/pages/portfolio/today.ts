/** The portfolio's part of Today: what everything is worth, and in the first days the way to say what is held. */

import { t } from '../../lib/i18n.svelte';
import type { TodayPart } from '../../lib/section';

export default {
  changes: ['portfolio', 'market'],
  steps: [{
    id: 'hold', name: 'portfolio.step.hold', text: () => t('portfolio.step.hold.text'),
    done: ({ net_worth }) => net_worth !== null,
    act: () => ({ label: 'portfolio.step.hold.do', open: '/portfolio?add=1' }),
  }],
  cards: [{ id: 'worth', name: 'portfolio.today.title', card: () => import('./TodayCard.svelte') }],
} satisfies TodayPart;
