/** A table on its way to the server as the file that it is. */

import { call } from '../../lib/api';
import type { ItemsPreview } from './types';

/** The largest table that the server reads. */
export const LARGEST = 2 << 20;

/** What a table says; nothing is written. */
export function previewTable(table: Blob): Promise<ItemsPreview> {
  return send<ItemsPreview>('/api/portfolio/import/preview', table);
}

/** Adds the items of a table. It can be sent again: what is there already is left out. */
export function importTable(table: Blob): Promise<{ added: number; duplicates: number }> {
  return send<{ added: number; duplicates: number }>('/api/portfolio/import', table);
}

function send<T>(path: string, body: Blob): Promise<T> {
  const asked = fetch(path, { method: 'POST', body, credentials: 'same-origin', headers: { Accept: 'application/json', 'Content-Type': 'text/csv; charset=utf-8' } });
  return call(asked.then(async (response) => {
    const said: unknown = await response.json().catch(() => undefined);
    return response.ok ? { data: said as T, response } : { error: said, response };
  }));
}
