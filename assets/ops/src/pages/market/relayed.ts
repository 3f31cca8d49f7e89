/** What the server passes on from a provider: the body as the provider says it, and how old it is. */

import { ApiError, call } from '../../lib/api';
import type { Instant } from '../../lib/schema';

export type Relayed<T> = { said: T; asOf: Instant; stale: boolean };

/** An answer as `read` understands it; throws where it says nothing that counts, as for any failure. */
export async function relayed<T extends { asOf: Instant | null }>(pending: Promise<{ data?: unknown; error?: unknown; response: Response }>, read: (body: unknown) => T | undefined): Promise<Relayed<T>> {
  let headers = new Headers();
  const body = await call(pending.then((answered) => {
    ({ headers } = answered.response);
    return answered;
  }));
  const said = read(body);
  if (said === undefined) throw new ApiError('UNREADABLE', 200, '');
  const seconds = Number(headers.get('Age') ?? 0) || 0;
  return { said, asOf: said.asOf ?? new Date(Date.now() - seconds * 1000).toISOString(), stale: headers.has('Warning') };
}
