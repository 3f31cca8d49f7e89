/** A purchase as it stands on the server, whoever has changed it. */

import { api, call } from '../../../lib/api';
import { gather } from '../../../lib/gather';
import { lottery_purchases } from '../../../bounds/lottery';
import type { Purchase } from '../types';

/** What can be changed of one; what it pays only where its numbers are not known. */
export function fieldsOf({ numbers_known }: Purchase): (keyof Purchase)[] {
  return ['draw_no', 'sets', 'count', 'amount', 'note', ...(numbers_known ? [] : ['prize' as const])];
}

/** One of them; undefined when it is gone. */
export async function loadPurchase(id: number): Promise<Purchase | undefined> {
  const isIt = (purchase: Purchase) => purchase.id === id;
  const { entries } = await gather<Purchase>(Infinity, lottery_purchases.limit.maximum, async (limit, offset) => {
    const { purchases, total } = await call(api.GET('/api/lotto/purchase', { params: { query: { limit, offset } } }));
    return { entries: purchases, total };
  }, (purchase) => purchase.id, (purchases) => purchases.some(isIt));
  return entries.find(isIt);
}
