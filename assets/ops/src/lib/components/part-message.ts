/**
 * What the shared parts say by themselves: it lies in the room `parts` of the shell's catalogue, which no page has to load.
 * The room comes when the first of it is said; until then nothing is said.
 *
 *     <button>{partMessage('shell.pager.next')}</button>
 */

import { known, loadMessages, type MessageKey, type Values } from '../i18n.svelte';

/** The sentence of a key in the chosen language; reactive. */
export function partMessage(key: MessageKey, values: Values = {}): string {
  void loadMessages('parts').catch(() => undefined);
  return known(key, values) ?? '';
}
