/** Deletes with an undo: what goes is hidden at once and deleted when its message ends, or when the page is left before. */

import { t } from './i18n.svelte';
import { sentence } from './problems';
import { toastProblem, toastUndo } from './toasts.svelte';

export type Removal = {
  /** Leaves it out of what the page shows. */
  hide: () => void;
  /** Takes that back: after "undo", and once the server has answered, whatever it said. */
  show: () => void;
  /**
   * Deletes it on the server and in what the page has loaded. `lasting` belongs to the request, so that it reaches the
   * server even when the page is being left.
   */
  send: (lasting: { keepalive: true }) => Promise<unknown>;
  /** The message. */
  said: string;
};

/** Hides it, and deletes it when the message with "undo" has ended; shows it again, with the reason, when that is refused. */
export function removeLater({ hide, show, send, said }: Removal): void {
  hide();
  toastUndo(said, t('shell.undo'), show, () => void (async () => {
    try {
      await send({ keepalive: true });
    } catch (cause) {
      toastProblem(`${t('shell.not_removed')} ${sentence(cause)}`);
    } finally {
      show();
    }
  })());
}
