/** What did not load, wherever there is no place of its own to say it. */

import { asApiError, isAway } from './api';
import { t } from './i18n.svelte';
import { sentence } from './problems';
import { toastProblem } from './toasts.svelte';

/** Says what did not load, and why; while the server is away, until it is heard again. */
export function sayNotLoaded(cause: unknown): void {
  toastProblem(`${t('shell.not_loaded')} ${sentence(cause)}`, undefined, isAway(asApiError(cause)));
}
