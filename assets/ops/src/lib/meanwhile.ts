/** What somebody else makes of a thing while it is being changed or deleted here. */

/** Those of its `fields` in which two states of a thing differ. */
export function differing<T, Field extends keyof T>(before: T, now: T, fields: readonly Field[]): Field[] {
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(now[field]));
}
