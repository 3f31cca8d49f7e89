/** What did not come while the house was away, and is asked for by itself once it is heard again. */

import { untrack } from 'svelte';
import { liveLine } from './events.svelte';

/** Calls `act` when the line opens after `failed` held without one; while a component lives. What fails on an open line is left to whoever reads why. */
export function whenHeardAgain(failed: () => boolean, act: () => void): void {
  let wasAway = false;
  $effect(() => {
    const isOpen = liveLine() === 'open';
    if (!failed()) wasAway = false;
    else if (!isOpen) wasAway = true;
    else if (wasAway) {
      wasAway = false;
      untrack(act);
    }
  });
}
