/** What every section offers on every page, found by its declaration as the section itself is; a section may offer nothing. */

import type { OfferingSection } from './lib/offered.svelte';
import type { Offers } from './lib/section';
import { SECTIONS } from './sections';

const FOUND = import.meta.glob<Offers>('./pages/*/offers.ts', { eager: true, import: 'default' });

/** The sections with what they offer, in the order of the navigation. */
export const OFFERING: OfferingSection[] = SECTIONS.map((section) => ({ ...section, ...FOUND[`./pages/${section.room}/offers.ts`] }));
