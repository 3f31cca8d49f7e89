/** Does it when the browser has nothing else to do, at the latest after `within` milliseconds where that is given; soon where a browser does not say. */
export function whenIdle(work: () => void, within?: number): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, within === undefined ? {} : { timeout: within });
  else setTimeout(work, 1_000);
}
