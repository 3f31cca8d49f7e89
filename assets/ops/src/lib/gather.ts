/** Long lists, asked for in as many parts as they need. */

/** The most entries that a route gives at once. */
const LARGEST_PART = 500;

export interface Gathered<T> {
  entries: T[];
  /** How many there are on the server. */
  total: number;
}

/**
 * The first `wanted` entries of a list, or fewer when `isEnough` says so after a part; `ask` gets the size and the place
 * of one part.
 */
export async function gather<T>(
  wanted: number,
  ask: (limit: number, offset: number) => Promise<Gathered<T>>,
  isEnough: (entries: T[]) => boolean = () => false,
): Promise<Gathered<T>> {
  let entries: T[] = [];
  for (;;) {
    const limit = Math.min(LARGEST_PART, wanted - entries.length);
    const part = await ask(limit, entries.length);
    entries = [...entries, ...part.entries];
    if (part.entries.length < limit || entries.length >= Math.min(wanted, part.total) || isEnough(entries)) return { entries, total: part.total };
  }
}
