/** Does it when the browser has nothing else to do, or soon where a browser does not say. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work);
  else setTimeout(work, 1_000);
}
