/** Which of the first steps were skipped; remembered by this browser. */

import { persisted, texts } from '../../lib/persisted.svelte';

const kept = persisted<string[]>('first-steps', [], texts);

/** By what they are known; reactive. */
export function skipped(): string[] {
  return kept.value;
}

/** Shows a step no more. */
export function skip(key: string): void {
  kept.value = [...kept.value.filter((other) => other !== key), key];
}
