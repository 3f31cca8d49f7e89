/** How the house is: what fails in it, and whether its storage takes writes. */

import { api, call } from './api';
import { resource, type Resource } from './resource.svelte';
import type { System } from './schema';

let followed = $state.raw<Resource<System>>();

/** Follows it for as long as the component that calls it during its set-up is shown. */
export function followCondition(): void {
  followed = resource(() => call(api.GET('/api/system')), ['storage', 'settings'], '/api/system');
}

/** The last that was heard; undefined before the first answer. Reactive. */
export function condition(): System | undefined {
  return followed?.data;
}
