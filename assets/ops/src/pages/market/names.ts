/** What the indices are called, in the chosen language. */

import { t } from '../../lib/i18n.svelte';
import { codeOf } from './codes';

/** The name of an index by its code or symbol; itself where it is not known here. Reactive. */
export function nameOfIndex(name: string): string {
  const code = codeOf(name);
  return code ? t(`market.index.${code}`) : name;
}
