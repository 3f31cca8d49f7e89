/** Every section of the app, found by its declaration: a new folder below `pages` is all that a new section takes. */

import type { Section } from './lib/section';

/** A section with the name of its folder, which is the room that its pages speak in. */
export type ListedSection = Section & { room: string };

/** The sections in the order of the navigation. */
export const SECTIONS: ListedSection[] = Object.entries(import.meta.glob<Section>('./pages/*/section.ts', { eager: true, import: 'default' }))
  .map(([file, section]) => ({ ...section, room: file.split('/').at(-2) ?? '' }))
  .sort((a, b) => a.order - b.order);

/** The section that an address belongs to; undefined for an address that is no page. */
export function sectionOf(pathname: string): ListedSection | undefined {
  return SECTIONS.find(({ path }) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)));
}
