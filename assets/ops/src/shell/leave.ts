/** Signing out, wherever it is asked for. */

import { signOut } from '../lib/house.svelte';
import { showPanel } from '../lib/panels.svelte';
import { sentence } from '../lib/problems';
import { toastProblem } from '../lib/toasts.svelte';

/** Ends this browser's session; asks first when something would be lost with it. */
export async function leave(): Promise<void> {
  try {
    if (!(await signOut())) showPanel('leaving');
  } catch (cause) {
    toastProblem(sentence(cause));
  }
}
