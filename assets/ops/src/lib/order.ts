/** How things are sorted: by what the server says, never by the alphabet of the reader's language. */

import type { Day, Instant } from './schema';

/** The earlier instant first, to the microsecond: in UTC they sort as text without their Z. */
export function byInstant(one: Instant, other: Instant): number {
  return byText(one.slice(0, -1), other.slice(0, -1));
}

/** The earlier day first; what has none comes last. */
export function byDay(one: Day | null, other: Day | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return byText(one, other);
}

function byText(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
