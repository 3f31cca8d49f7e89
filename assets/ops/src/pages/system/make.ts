/** Makes a snapshot: one way for the page, the palette and Today. */

import { api, call } from '../../lib/api';
import { poll } from '../../lib/poll';

export const makeSnapshot = (key?: string) =>
  poll((its) => call(api.POST('/api/system/backups', { params: { header: { 'Idempotency-Key': its } } })), key);
