/** Asks what was spent this month, and says as a doubt when what is planned is over the household's limit. */

import { api, call } from '../../../lib/api';
import { won } from '../../../lib/say';
import type { Doubt } from './doubts';
import { overLimit, type Planned } from './limit';

export async function limitDoubts(planned: Planned[]): Promise<Doubt[]> {
  const { this_month } = await call(api.GET('/api/lotto/purchase/months', { params: { query: { limit: 1 } } }));
  const over = overLimit(this_month, planned);
  return over ? [{ kind: 'limit', spent: won(over.spent), over: won(over.over) }] : [];
}
