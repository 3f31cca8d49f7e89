/** Deletes with an undo: what goes is hidden at once and deleted when its message ends, or when the page is left before. */

import { SvelteSet } from 'svelte/reactivity';
import { t } from './i18n.svelte';
import { headline, sentence } from './problems';
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

/** One thing that can be deleted, by its kind and what it is known by there: an id that is not given again. */
export type Named = { kind: string; key: unknown };

/**
 * What was deleted, or is being deleted while that can still be taken back. It outlives the page: who leaves it and comes
 * back within these seconds does not find what was deleted.
 */
const leaving = new SvelteSet<string>();
const nameOf = ({ kind, key }: Named) => `${kind} ${String(key)}`;

/** Whether a list leaves it out. Reactive. */
export function isLeaving(named: Named): boolean {
  return leaving.has(nameOf(named));
}

/** Hides one thing in every list of its kind, and deletes it when the message has ended; shows it again when that is refused. */
export function removeOneLater(named: Named, { send, said }: Pick<Removal, 'send' | 'said'>): void {
  const name = nameOf(named);
  leaving.add(name);
  const show = () => leaving.delete(name);
  toastUndo(said, t('shell.undo'), show, () => void sent(send).then((done) => (done ? undefined : show())));
}

/** Hides it, and deletes it when the message with "undo" has ended; shows it again, with the reason, when that is refused. */
export function removeLater({ hide, show, send, said }: Removal): void {
  hide();
  toastUndo(said, t('shell.undo'), show, () => void sent(send).then(show));
}

async function sent(send: Removal['send']): Promise<boolean> {
  try {
    await send({ keepalive: true });
    return true;
  } catch (cause) {
    toastProblem(`${headline(cause, t('shell.not_removed'))} ${sentence(cause)}`.trim());
    return false;
  }
}
