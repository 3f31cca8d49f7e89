/** The day's facts, of which some may be missing while the others are good. */

import { ApiError } from './api';
import type { Today } from './schema';

/** The same facts, where reading one that the server could not read is a failure instead of an emptiness. */
export function guarded(today: Today): Today {
  if (today.unread.length === 0) return today;
  return new Proxy(today, {
    get(facts, name) {
      if (today.unread.includes(String(name))) throw new ApiError('INTERNAL', 500, '');
      return Reflect.get(facts, name);
    },
  });
}
