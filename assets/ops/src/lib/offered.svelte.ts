/** What the sections offer on every page, for whoever is there before it: it comes after the first page. */

import type { Offers } from './section';
import type { ListedSection } from '../sections';

export type OfferingSection = ListedSection & Offers;

let come = $state.raw<OfferingSection[]>([]);

/** The sections with what they offer; none before it has come. Reactive. */
export function offering(): OfferingSection[] {
  return come;
}

/** It has come. */
export function offer(sections: OfferingSection[]): void {
  come = sections;
}
