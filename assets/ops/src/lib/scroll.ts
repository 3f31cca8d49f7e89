/** Where the page stands after going back, and after it was loaded anew. */

import { entryNumber } from './router.svelte';

const STORED = 'hanok.scroll';
const RESTORE_MS = 1_500;
/** A page that is loaded anew asks for all that is on it. */
const RELOAD_MS = 5_000;
/** Frames in a row at the right place, after which the page has its height. */
const SETTLED_FRAMES = 12;
/** Whoever does one of these goes where they want to. */
const INPUTS = ['wheel', 'pointerdown', 'touchstart', 'keydown'];

let stop: (() => void) | undefined;

/** Goes back to where the reader was when they come back to a page; the router itself always starts at the top. */
export function restoreScroll(): void {
  const positions = stored();
  const restore = (patience: number) => goTo(positions.get(entryNumber()) ?? 0, patience);
  history.scrollRestoration = 'manual';
  addEventListener('scroll', () => {
    if (!stop) positions.set(entryNumber(), scrollY);
  }, { passive: true });
  addEventListener('popstate', () => restore(RESTORE_MS));
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(STORED, JSON.stringify([...positions]));
    } catch {
      // Storage is switched off in this browser: the page begins at its top.
    }
  });
  restore(RELOAD_MS);
}

function goTo(top: number, patience: number): void {
  stop?.();
  // Going back leaves an open window, and the page behind it stays.
  if (top === 0 || document.querySelector('dialog[open]')) return;
  const until = performance.now() + patience;
  let settled = 0;
  const end = () => {
    stop = undefined;
    INPUTS.forEach((input) => removeEventListener(input, end));
  };
  stop = end;
  INPUTS.forEach((input) => addEventListener(input, end, { passive: true }));
  const step = () => {
    if (stop !== end) return;
    settled = Math.abs(scrollY - top) < 2 ? settled + 1 : 0;
    scrollTo(0, top);
    if (settled < SETTLED_FRAMES && performance.now() < until) requestAnimationFrame(step);
    else end();
  };
  requestAnimationFrame(step);
}

/** Of this tab's history: who comes by an address begins a new part of it. */
function stored(): Map<number, number> {
  try {
    const [come] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return new Map(come?.type === 'navigate' ? [] : (JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as [number, number][]));
  } catch {
    return new Map();
  }
}
