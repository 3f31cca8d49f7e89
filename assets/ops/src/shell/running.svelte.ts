/** How much work of the house runs or waits. Who follows it comes after the first page. */

let count = $state(0);

/** How much it is, zero before anybody has told; reactive. */
export function running(): number {
  return count;
}

/** It is so much now. */
export function tellRunning(next: number): void {
  count = next;
}
