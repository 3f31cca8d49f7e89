/**
 * A moment as the clocks of this device read it: the steady one stands still while the device sleeps, the one on the wall
 * can be set. Other tabs and the server count otherwise, so what they tell is an age.
 */

export type Reading = { readonly steady: number; readonly wall: number };

/** What the clocks read so many milliseconds ago. */
export function ago(age: number): Reading {
  return { steady: performance.now() - age, wall: Date.now() - age };
}

/** Whether one lies before the other by either clock. */
export function isBefore(one: Reading, other: Reading): boolean {
  return one.steady < other.steady || one.wall < other.wall;
}
