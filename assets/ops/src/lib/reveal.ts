/** Brings an entry into view inside what scrolls around it. */

/** The least that `scroller` must move for it. `scrollIntoView` would also have the next Tab begin there instead of at the page's top. */
export function reveal(scroller: HTMLElement, entry: Element | null): void {
  if (!entry) return;
  const [around, own] = [scroller.getBoundingClientRect(), entry.getBoundingClientRect()];
  scroller.scrollBy({
    top: distance(around.top, around.bottom, own.top, own.bottom),
    left: distance(around.left, around.right, own.left, own.right),
    behavior: 'instant',
  });
}

/** How far what lies from `start` to `end` must go to lie between `from` and `to`. */
function distance(from: number, to: number, start: number, end: number): number {
  if (start < from) return start - from;
  return end > to ? end - to : 0;
}
