/** The arithmetic of the large charts: from points of several series to columns, and what is said at their axes. Nothing here touches the page. */

/** A day (`2026-11-20`) or an instant. */
export type At = string;
/** What is known at a time; null where it is known that nothing is. */
export type TimedPoint = { at: At; value: number | null };
/** A day or a minute of trade. */
export type Candle = { at: At; open: number; high: number; low: number; close: number; volume?: number };

/** The second at which a day begins in Seoul, or of an instant. */
export function secondOf(at: At): number {
  return Date.parse(at.length === 10 ? `${at}T00:00:00+09:00` : at) / 1000;
}

/** Several series over all their times in order, as columns; null where a series has nothing, which breaks its line. */
export function joined(series: readonly (readonly TimedPoint[])[]): { times: At[]; columns: (number | null)[][] } {
  const times = [...new Set(series.flat().map(({ at }) => at))].sort((a, b) => secondOf(a) - secondOf(b));
  const columns = series.map((points) => {
    const known = new Map(points.map(({ at, value }) => [at, value]));
    return times.map((at) => known.get(at) ?? null);
  });
  return { times, columns };
}

/** Round numbers whose steps are told apart as years, months, days or minutes, by the seconds between two of them. */
export function unitOf(step: number): 'minute' | 'day' | 'month' | 'year' {
  if (step < 86_400) return 'minute';
  if (step < 28 * 86_400) return 'day';
  return step < 365 * 86_400 ? 'month' : 'year';
}

/** Which of `count` columns an axis names where each name takes `needed` of `width` pixels: evenly, from the first one on. */
export function named(count: number, width: number, needed: number): number[] {
  const step = Math.max(1, Math.ceil((count * needed) / Math.max(1, width)));
  return Array.from({ length: Math.ceil(count / step) }, (_, place) => place * step);
}

/** The lowest and the highest of some values with room at both ends; from zero on where `zero` says so. */
export function extent(values: readonly (number | null)[], { zero = false, room = 0.06 } = {}): [number, number] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return [0, 1];
  const low = Math.min(...known, ...(zero ? [0] : []));
  const high = Math.max(...known, ...(zero ? [0] : []));
  const more = (high - low || Math.abs(high) || 1) * room;
  return [zero && low === 0 ? 0 : low - more, zero && high === 0 ? 0 : high + more];
}
