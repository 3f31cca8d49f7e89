/**
 * Asks before something that cannot be taken back, with its consequence in words. What can be taken back is not asked about:
 * it is done, with an undo (`undo.ts`).
 *
 *     const amount = { name: t('plants.sum'), value: won(sum) };
 *     if (await confirm({ title: t('plants.buy'), consequence: t('plants.at_once'), amount, label: t('plants.buy') })) buy(plant);
 *
 * With `run` the window stays until that is done, and says why it was not:
 *
 *     await confirm({ title: t('plants.publish'), consequence: t('plants.for_all'), label: t('plants.publish'), run: () => publish(plant) });
 */

import { mount, tick, unmount } from 'svelte';
import { fetchFile } from './files';
import type { Question } from './question';

/** Opens the window, whose file comes with the first question. Gives whether it was confirmed and, with `run`, done; throws when the file does not come. */
export async function confirm(question: Question): Promise<boolean> {
  const { default: Confirm } = await fetchFile(() => import('./components/Confirm.svelte'));
  let shown: Record<string, unknown> | undefined;
  const confirmed = await new Promise<boolean>((answer) => {
    shown = mount(Confirm, { target: document.body, props: { question, answer } });
  });
  // The browser gives the focus back when the window closes, before it goes.
  await tick();
  if (shown) await unmount(shown);
  return confirmed;
}
