/** What is on this device alone and would be gone with its session: what was added and is not saved, work that is under way, what is half typed. */

import { unsaved } from './outbox.svelte';
import { ownWork } from './own-work.svelte';
import { unsentWords } from './unsent';

export type Loss = {
  /** In the words that people know it by; what has none is known by when it was added. */
  name?: string | undefined;
  since?: number;
};

/** All of it; reactive but for what is typed. */
export function losses(): Loss[] {
  // What waits for somebody has arrived, and is offered to who comes next.
  const underWay = ownWork().filter(({ percent }) => percent() !== undefined);
  return [
    ...unsaved().map(({ name, since }) => ({ name, since })),
    ...underWay.map(({ name }) => ({ name: name() })),
    ...unsentWords().map((name) => ({ name })),
  ];
}
