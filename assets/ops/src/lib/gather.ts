/** Long lists, asked for in as many parts as they need. */

export interface Gathered<T> {
  entries: T[];
  /** How many there are on the server. */
  total: number;
}

/** One part of a list: its size and its place. */
export type AskPart<T> = (limit: number, offset: number) => Promise<Gathered<T>>;

/**
 * The first `wanted` entries of a list of which the server gives at most `most` at once, or fewer when `isEnough` says so after a part. What moves from one part into the
 * next, because something was added before it meanwhile, is there once: `key` tells it from the others.
 */
export async function gather<T>(
  wanted: number,
  most: number,
  ask: AskPart<T>,
  key: (entry: T) => unknown,
  isEnough: (entries: T[]) => boolean = () => false,
): Promise<Gathered<T>> {
  const found = new Map<unknown, T>();
  for (let offset = 0; ;) {
    const limit = Math.min(most, wanted - found.size);
    const part = await ask(limit, offset);
    offset += part.entries.length;
    for (const entry of part.entries) found.set(key(entry), entry);
    const entries = [...found.values()];
    if (part.entries.length < limit || entries.length >= Math.min(wanted, part.total) || isEnough(entries)) return { entries, total: part.total };
  }
}
