/** The portfolio: what the household holds, what it is worth, and what was sold. */

import { saying } from '../../lib/i18n.svelte';
import type { Section } from '../../lib/section';

export default {
  path: '/portfolio',
  name: 'portfolio.name',
  icon: 'M12 3.5a8.5 8.5 0 1 0 8.5 8.5H12V3.5ZM15.5 3.2a8.5 8.5 0 0 1 5.3 5.3h-5.3V3.2Z',
  group: 'money',
  order: 12,
  keys: 'g h',
  page: () => import('./Portfolio.svelte'),
  frame: () => import('./Frame.svelte'),
  inner: [
    { path: '/items/:id', name: 'portfolio.palette.item', page: () => import('./Item.svelte') },
    { path: '/sales', name: 'portfolio.palette.sales', page: () => import('./Sales.svelte') },
    { path: '/import', name: 'portfolio.palette.import', page: () => saying('parts', import('./Import.svelte')) },
  ],
} satisfies Section;
