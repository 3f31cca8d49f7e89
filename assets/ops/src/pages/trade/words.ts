/** How orders are said in a table. */

import { t } from '../../lib/i18n.svelte';
import { won } from '../../lib/say';
import type { Order } from './types';

/** The price that an order names, or that it takes any. */
export function priced({ price }: Order): string {
  return price === null ? t('trade.type.market') : won(price);
}
