/** Work of this page itself that goes on while other pages are read, such as a file that is being sent. */

export type OwnWork = {
  /** What it is, in the reader's language. */
  name: () => string;
  /** The address of the page that shows it. */
  open: string;
  /** How far it is; null while that is unknown, undefined when it waits for somebody. Reactive. */
  percent: () => number | null | undefined;
  stop: () => void;
};

let all = $state.raw<OwnWork[]>([]);

/** What is under way or waits, oldest first; reactive. */
export function ownWork(): OwnWork[] {
  return all;
}

/** It is under way from now on. Returns the end of it. */
export function beginOwnWork(work: OwnWork): () => void {
  all = [...all, work];
  return () => (all = all.filter((other) => other !== work));
}
