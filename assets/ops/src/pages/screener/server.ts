/** What several pages of the screener ask for. */

import { screener_import } from '../../bounds/screener';
import { api, call } from '../../lib/api';
import { resource, type Resource } from '../../lib/resource.svelte';
import type { ImportedTable, Node } from './types';

/** Every rule with its parameters: the same until the next version. */
export function catalogue(): Resource<Node[]> {
  return resource(() => call(api.GET('/api/stock/screener/nodes')).then(({ nodes }) => nodes), [], '/api/stock/screener/nodes');
}

/** Sends a table of the exchange as it is; its name says its day where no column does. */
export async function sendTable(file: File): Promise<{ data?: ImportedTable; error?: unknown; response: Response }> {
  const name = encodeURIComponent(file.name.slice(-screener_import.name.maxLength));
  const headers = { Accept: 'application/json', 'Content-Type': 'application/octet-stream' };
  const response = await fetch(`/api/stock/screener/import?name=${name}`, { method: 'POST', headers, body: file });
  const answer: unknown = await response.json().catch(() => undefined);
  return response.ok ? { data: answer as ImportedTable, response } : { error: answer, response };
}
