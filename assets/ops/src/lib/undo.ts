/** Deletes with an undo: what goes is hidden at once and deleted when its message ends, or when the page is left before. */

import { SvelteSet } from 'svelte/reactivity';
import { liveLine, onChange, type Subject } from './events.svelte';
import { focusShown } from './focus';
import { t } from './i18n.svelte';
import { differing } from './meanwhile';
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

/** What is deleted as it stood when that was asked for: what somebody else has saved of it since is not deleted with it. */
export type IfUnchanged<T> = {
  before: T;
  /** What can be changed of it. */
  fields: readonly (keyof T)[];
  /** The subjects whose change may be one of it. */
  on: Subject[];
  /** It as it stands on the server; undefined when it is gone. */
  now: () => Promise<T | undefined>;
  /** Says that it was changed, and is there for that reason. */
  changed: (now: T) => string;
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

/** Whether one of a kind is going: what was computed of all of them still counts it. Reactive. */
export function isAnyLeaving(kind: string): boolean {
  return [...leaving].some((name) => name.startsWith(`${kind} `));
}

/**
 * Hides one thing in every list of its kind, and deletes it when the message has ended; shows it again when that is refused,
 * and when somebody else has changed it since.
 */
export function removeOneWithUndo<T>(named: Named, { send, said, ifUnchanged }: Pick<Removal, 'send' | 'said'> & { ifUnchanged?: IfUnchanged<T> }): void {
  const name = nameOf(named);
  const show = () => leaving.delete(name);
  let looking: Promise<void> | undefined;
  let isTakenBack = false;
  leaving.add(name);
  const unfollow = onChange(ifUnchanged?.on ?? [], () => void look());
  const takeBack = () => {
    isTakenBack = true;
    unfollow();
    void focusShown(show);
  };
  const withdraw = toastUndo(said, t('shell.undo'), takeBack, (isLeft) => void commit(isLeft));

  function look(): Promise<void> {
    const look = compare().finally(() => {
      if (looking === look) looking = undefined;
    });
    return (looking = look);
  }

  async function compare(): Promise<void> {
    const now = await ifUnchanged?.now().catch(() => undefined);
    if (!ifUnchanged || !now || isTakenBack || differing(ifUnchanged.before, now, ifUnchanged.fields).length === 0) return;
    withdraw();
    isTakenBack = true;
    unfollow();
    show();
    toastProblem(ifUnchanged.changed(now));
  }

  async function commit(isLeft: boolean): Promise<void> {
    unfollow();
    // Nothing is heard of what others do: then it is asked for. Who leaves the page waits for nothing.
    if (ifUnchanged && !isLeft && liveLine() !== 'open') void look();
    if (looking && !isLeft) await looking;
    if (!isTakenBack && !(await sent(send))) show();
  }
}

/** Hides it, and deletes it when the message with "undo" has ended; shows it again, with the reason, when that is refused. */
export function removeWithUndo({ hide, show, send, said }: Removal): void {
  hide();
  toastUndo(said, t('shell.undo'), () => void focusShown(show), () => void sent(send).then(show));
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
