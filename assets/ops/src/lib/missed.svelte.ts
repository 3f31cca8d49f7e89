/** The page whose files did not come, while its address stands in the browser: it is said in its place. */

export type Missed = { pathname: string; error: unknown };

let missed = $state.raw<Missed>();

/** Undefined when the page that is shown is that of the address. Reactive. */
export function missedPage(): Missed | undefined {
  return missed;
}

/** Says it, or takes it back. */
export function missPage(next: Missed | undefined): void {
  missed = next;
}
