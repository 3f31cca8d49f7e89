/** What the system says of itself, asked for once by the frame for all pages inside it. */

import { getContext, setContext } from 'svelte';
import { api, call } from '../../lib/api';
import { resource, type Resource } from '../../lib/resource.svelte';
import type { System } from '../../lib/schema';

const KEY = Symbol('system');

/** Asks for it; for the frame, while it is set up. */
export function askSystem(): Resource<System> {
  return setContext(KEY, resource(() => call(api.GET('/api/system')), ['storage', 'backups', 'household', 'settings'], '/api/system'));
}

/** What the frame has asked for; for a page, while it is set up. */
export function systemFacts(): Resource<System> {
  return getContext<Resource<System>>(KEY);
}
