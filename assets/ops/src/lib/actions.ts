/** What a section offers to be done from anywhere. */

import { t } from './i18n.svelte';
import { sentence } from './problems';
import { go } from './router.svelte';
import type { Action } from './section';
import { toast, toastProblem } from './toasts.svelte';

/** Leads to the action's page, or does it and says how it ended. Who is on that page already goes back to where they came from. */
export function act(action: Action): void {
  if ('open' in action) void go(new URL(action.open, location.origin), action.open.split('?')[0] === location.pathname);
  else void report(action);
}

async function report({ run, done }: Extract<Action, { run: unknown }>): Promise<void> {
  try {
    await run();
    toast(t(done));
  } catch (cause) {
    toastProblem(sentence(cause));
  }
}
