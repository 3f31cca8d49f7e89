/**
 * A moment as this device knows it, by both of its clocks: the steady one stands still while the device sleeps, the one on
 * the wall can be set. Other tabs and the server count otherwise, so what they tell is an age.
 */

export type Moment = { readonly steady: number; readonly wall: number };

/** The moment so many milliseconds ago. */
export function ago(age: number): Moment {
  return { steady: performance.now() - age, wall: Date.now() - age };
}

/** Whether one lies before the other by either clock. */
export function isBefore(one: Moment, other: Moment): boolean {
  return one.steady < other.steady || one.wall < other.wall;
}
