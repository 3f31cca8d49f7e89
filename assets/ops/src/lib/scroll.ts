/** Where the page stands after going back. */

import { entryNumber } from './router.svelte';

const RESTORE_MS = 1_500;
/** Frames in a row at the right place, after which the page has its height. */
const SETTLED_FRAMES = 12;

/** Goes back to where the reader was when they come back to a page; the router itself always starts at the top. */
export function restoreScroll(): void {
  const positions = new Map<number, number>();
  let restoring = false;
  history.scrollRestoration = 'manual';
  addEventListener('scroll', () => {
    if (!restoring) positions.set(entryNumber(), scrollY);
  }, { passive: true });
  addEventListener('popstate', () => {
    const top = positions.get(entryNumber()) ?? 0;
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
