/** The language of the screen, wherever it is chosen. */

import { fetchFile } from '../lib/files';
import { whileGoing } from '../lib/going.svelte';
import { setLanguage, type Language } from '../lib/i18n.svelte';
import { sayNotLoaded } from '../lib/not-loaded';

/** Switches it; says why when the sentences do not come. */
export async function speak(language: Language): Promise<void> {
  try {
    await whileGoing(() => fetchFile(() => setLanguage(language)));
  } catch (cause) {
    sayNotLoaded(cause);
  }
}
