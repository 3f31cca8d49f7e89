/** The current time for what is shown relative to it ("12 min ago", "until the draw"); moves every 20 seconds. */

import { createSubscriber } from 'svelte/reactivity';

const STEP_MS = 20_000;

let current = Date.now();
const subscribe = createSubscriber((update) => {
  current = Date.now();
  const timer = setInterval(() => {
    current = Date.now();
    update();
  }, STEP_MS);
  return () => clearInterval(timer);
});

/** Milliseconds since 1970; reactive in steps of 20 seconds while something shows it. */
export function now(): number {
  subscribe();
  return current;
}
