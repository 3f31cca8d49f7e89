/** When something was, in the language that is chosen now; reactive when called from a template. */

import { currentLanguage } from './i18n.svelte';
import * as when from './when';

export const moment = (milliseconds: number): string => when.moment(milliseconds, currentLanguage());
