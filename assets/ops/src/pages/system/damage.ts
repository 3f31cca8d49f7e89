/** What is known of the other backups when some are damaged. */

import { byInstant } from '../../lib/order';
import type { Instant, Snapshot } from '../../lib/schema';

/** As of when no damage is known in those of them that are sound; undefined when none is. */
export function soundAsOf(backups: Snapshot[]): Instant | undefined {
  return backups.filter(({ state }) => state !== 'damaged').map(knownAt).sort(byInstant)[0];
}

/** Whether the sound ones were read since the last damage was found; before that, what is known of them is older. */
export function areRead(damaged: Snapshot[], asOf: Instant): boolean {
  const found = damaged.map(knownAt).sort(byInstant).at(-1);
  return found === undefined || byInstant(asOf, found) >= 0;
}

function knownAt({ read_at, verified_at }: Snapshot): Instant {
  return read_at ?? verified_at;
}
