/** Signing out, wherever it is asked for. */

import { signOut } from '../lib/house.svelte';
import { losses } from '../lib/losses';
import { showPanel } from '../lib/panels.svelte';
import { sentence } from '../lib/problems';
import { toastProblem } from '../lib/toasts.svelte';

/** Ends this browser's session; asks first when something would be lost with it. */
export async function leave(): Promise<void> {
  try {
    if (!(await signOut(() => losses().length === 0))) showPanel('leaving');
  } catch (cause) {
    toastProblem(sentence(cause));
  }
}
