/**
 * Posts of which this browser keeps what does not go out before somebody has chosen, for every page: each is told once,
 * wherever the household is, and the blog's entry is marked until then.
 */

import { untrack } from 'svelte';
import { t } from '../../lib/i18n.svelte';
import { toastProblem } from '../../lib/toasts.svelte';
import { forgetAtSignOut } from '../../lib/unsent';
import type { KeptPost } from './keeping';

/** The ids of those that were told in this tab, also when its page is loaded anew. */
const TOLD = 'hanok.blog.told';

let waiting = $state.raw<number[]>([]);
forgetAtSignOut(noneWaits);

/** Whether any waits; reactive. */
export function isAnyWaiting(): boolean {
  return waiting.length > 0;
}

/** Nothing is kept of this post any more. */
export function waitsNoMore(id: number | undefined): void {
  const before = untrack(() => waiting);
  if (before.some((one) => one === id)) waiting = before.filter((one) => one !== id);
}

/** Nothing is kept at all. */
export function noneWaits(): void {
  waiting = [];
  remember([]);
}

/** Of all that is `kept`, those of these `names` wait. What is `shown` on its page is told there; `open` goes to an address. */
export function tellWaiting(kept: KeptPost[], names: Set<string>, shown: (id: number) => boolean, open: (address: string) => void): void {
  const found = kept.flatMap(({ id, name, title }) => (id !== undefined && names.has(name) ? [{ id, title }] : []));
  const [ids, before] = [found.map(({ id }) => id), told()];
  waiting = ids;
  // The server may have told nothing of a post just now: as long as something is kept of it, it is no news.
  remember([...ids, ...before.filter((id) => !ids.includes(id) && kept.some((one) => one.id === id))]);
  const news = found.filter(({ id }) => !before.includes(id) && !shown(id));
  const [first] = news;
  if (!first) return;
  // Many at once are one message, and lead to the list that names them.
  const isOne = news.length === 1;
  const text = isOne ? t('blog.undecided', { title: first.title || t('blog.undecided.untitled') }) : t('blog.undecided.many', { count: news.length });
  toastProblem(text, { label: t('blog.undecided.open'), run: () => open(isOne ? `/blog/write?post=${first.id}` : '/blog') });
}

function told(): number[] {
  try {
    return JSON.parse(sessionStorage.getItem(TOLD) ?? '[]') as number[];
  } catch {
    return [];
  }
}

function remember(ids: number[]): void {
  try {
    if (ids.length > 0) sessionStorage.setItem(TOLD, JSON.stringify(ids));
    else sessionStorage.removeItem(TOLD);
  } catch {
    // Storage is switched off in this browser: nothing is kept there either.
  }
}
