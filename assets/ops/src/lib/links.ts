/** What the router leaves to the browser, and where the page stands after going back. */

import { searchParams } from 'sv-router';

const RESTORE_MS = 1_500;
/** Frames in a row at the right place, after which the page has its height. */
const SETTLED_FRAMES = 12;

/**
 * A click with a modifier opens a tab or a window, as everywhere: it must not reach the router's listener,
 * which sits on the window and does not look at modifiers.
 */
export function respectModifiers(): void {
  document.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) event.stopPropagation();
  });
}

/** Goes back to where the reader was when they come back to a page; the router itself always starts at the top. */
export function restoreScroll(): void {
  const positions = new Map<number, number>();
  let restoring = false;
  history.scrollRestoration = 'manual';
  addEventListener('scroll', () => {
    if (!restoring) positions.set(entry(), scrollY);
  }, { passive: true });
  addEventListener('popstate', () => {
    const top = positions.get(entry()) ?? 0;
    // Going back leaves an open window, and the page behind it stays.
    if (top === 0 || document.querySelector('dialog[open]')) return;
    restoring = true;
    const until = performance.now() + RESTORE_MS;
    let settled = 0;
    const stop = () => {
      restoring = false;
      removeEventListener('wheel', stop);
      removeEventListener('touchstart', stop);
      removeEventListener('keydown', stop);
    };
    for (const input of ['wheel', 'touchstart', 'keydown']) addEventListener(input, stop, { passive: true });
    const step = () => {
      if (!restoring) return;
      settled = Math.abs(scrollY - top) < 2 ? settled + 1 : 0;
      scrollTo(0, top);
      if (settled < SETTLED_FRAMES && performance.now() < until) requestAnimationFrame(step);
      else stop();
    };
    requestAnimationFrame(step);
  });
}

/** Takes a word of the address away that was followed; the entry keeps the number by which the router knows it when going back. */
export function dropParam(name: string): void {
  const { state } = history;
  searchParams.delete(name, undefined, { replace: true });
  history.replaceState(state, '');
}

/** The router numbers its history entries. */
function entry(): number {
  return (history.state as { _routerIndex?: number } | null)?._routerIndex ?? 0;
}
