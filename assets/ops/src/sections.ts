/** Every section of the app, found by its declaration: a new folder below `pages` is all that a new section takes. */

import { GROUPS, type InnerPage, type Section } from './lib/section';

/** A section with the name of its folder, which is the room that its pages speak in. */
export type ListedSection = Section & { room: string };

/** The places of the navigation, in their order. */
const PLACES: readonly Section['group'][] = ['first', ...GROUPS, 'last'];

/** The sections in the order of the navigation. */
export const SECTIONS: ListedSection[] = inOrder(
  Object.entries(import.meta.glob<Section>('./pages/*/section.ts', { eager: true, import: 'default' }))
    .map(([file, section]) => ({ ...section, room: file.split('/').at(-2) ?? '' })));

/** By their places, and in each by their own order. */
export function inOrder<S extends Pick<Section, 'group' | 'order'>>(sections: S[]): S[] {
  return sections.toSorted((a, b) => PLACES.indexOf(a.group) - PLACES.indexOf(b.group) || a.order - b.order);
}

/** The sections of each place that has any; those of a group stand together. */
export function byPlace<S extends Pick<Section, 'group'>>(sections: S[]): { place: Section['group']; sections: S[] }[] {
  return PLACES.map((place) => ({ place, sections: sections.filter(({ group }) => group === place) })).filter(({ sections }) => sections.length > 0);
}

/** The section that an address belongs to; undefined for an address that is no page. */
export function sectionOf(pathname: string): ListedSection | undefined {
  return SECTIONS.find(({ path }) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)));
}

/** The page at an address of a section, which is its own or one within it; undefined where there is none. */
export function pageOf(section: Section, pathname: string): (InnerPage & { params: Record<string, string> }) | undefined {
  const { path, name, page, inner = [] } = section;
  const place = pathname.slice(path === '/' ? 0 : path.length).replace(/\/$/, '') || '/';
  const pages: InnerPage[] = [{ path: '/', name, page }, ...inner];
  // One that is named goes before one that fits.
  return pages.toSorted((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':'))).flatMap((one) => {
    const params = paramsOf(one.path, place);
    return params ? [{ ...one, params }] : [];
  })[0];
}

/** What stands in an address for each `:name` of a pattern; undefined where it does not fit. */
function paramsOf(pattern: string, place: string): Record<string, string> | undefined {
  const [names, parts] = [pattern.split('/'), place.split('/')];
  const fits = names.length === parts.length && names.every((name, at) => (name.startsWith(':') ? parts[at] !== '' : name === parts[at]));
  return fits ? Object.fromEntries(names.flatMap((name, at) => (name.startsWith(':') ? [[name.slice(1), decoded(parts[at]!)]] : []))) : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
