/** Makes a snapshot: one way for the page, the palette and Today. */

import { api, call } from '../../lib/api';
import { soon } from '../../lib/soon';

export const makeSnapshot = (key?: string) =>
  soon((its) => call(api.POST('/api/system/backups', { params: { header: { 'Idempotency-Key': its } } })), key);
