/** In which order the household has put the cards of Today, and which ones it has hidden; remembered by this browser. */

import { persisted, texts } from '../../lib/persisted.svelte';

export type Arrangement = {
  /** The cards that were there when they were put in order, by what they are known by. */
  order: string[];
  hidden: string[];
};

const NONE: Arrangement = { order: [], hidden: [] };
const kept = persisted<Arrangement>('today', NONE, read);
let before = $state.raw<Arrangement[]>([]);

/** The arrangement; reactive. */
export function arrangement(): Arrangement {
  return kept.value;
}

/** Changes it; what was before can be taken back. */
export function arrange(next: Arrangement): void {
  before = [...before, kept.value];
  kept.value = next;
}

/** Whether there is something to take back; reactive. */
export function canUndo(): boolean {
  return before.length > 0;
}

/** Takes the last change back. */
export function undo(): void {
  const last = before.at(-1);
  if (!last) return;
  before = before.slice(0, -1);
  kept.value = last;
}

/**
 * The cards in the household's order. One that came since stands behind the one that it is declared behind, so that a new
 * section shows by itself.
 */
export function inOrder<C extends { key: string }>(declared: C[], { order }: Pick<Arrangement, 'order'>): C[] {
  const found = order.flatMap((key) => declared.find((card) => card.key === key) ?? []);
  for (const [index, card] of declared.entries()) {
    if (order.includes(card.key)) continue;
    const previous = declared[index - 1];
    found.splice(previous ? found.indexOf(previous) + 1 : 0, 0, card);
  }
  return found;
}

/** The arrangement with one card a place further up or down among `keys`, all there are in their order. */
export function moved({ hidden }: Arrangement, keys: string[], key: string, by: -1 | 1): Arrangement {
  const order = [...keys];
  const from = order.indexOf(key);
  const to = from + by;
  if (from === -1 || to < 0 || to >= order.length) return { order, hidden };
  order.splice(to, 0, ...order.splice(from, 1));
  return { order, hidden };
}

/** The arrangement with one card hidden, or shown again. */
export function toggled({ order, hidden }: Arrangement, key: string): Arrangement {
  return { order, hidden: hidden.includes(key) ? hidden.filter((other) => other !== key) : [...hidden, key] };
}

function read(stored: unknown): Arrangement | undefined {
  const { order, hidden } = (stored ?? {}) as Record<string, unknown>;
  const [known, left] = [texts(order), texts(hidden)];
  return known && left ? { order: known, hidden: left } : undefined;
}
