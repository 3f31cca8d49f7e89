/** The server, as a post that is written asks it. */

import { api, call } from '../../lib/api';
import type { Server } from './writing.svelte';

export const SERVER: Server = {
  add: (fields, key) => call(api.POST('/api/blog/posts', { body: fields, params: { header: { 'Idempotency-Key': key } } })),
  change: (id, changes) => call(api.PUT('/api/blog/posts/{id}', { params: { path: { id } }, body: changes })),
  find: (id) => call(api.GET('/api/blog/posts/{id}', { params: { path: { id } } })),
  restore: (id) => call(api.POST('/api/blog/posts/{id}/restore', { params: { path: { id } } })),
};
