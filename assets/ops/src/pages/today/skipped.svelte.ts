/** Which of the first steps were skipped; remembered by this browser. */

import { Kept, texts } from '../../lib/kept.svelte';

const kept = new Kept<string[]>('first-steps', [], texts);

/** By what they are known; reactive. */
export function skipped(): string[] {
  return kept.value;
}

/** Shows a step no more. */
export function skip(key: string): void {
  kept.value = [...kept.value.filter((other) => other !== key), key];
}
