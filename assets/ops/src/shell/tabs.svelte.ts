/** The sections under the thumb on a phone: all while they fit, otherwise those that were chosen on it, and a way to the rest. */

import { persisted, texts } from '../lib/persisted.svelte';
import { SECTIONS, type ListedSection } from '../sections';

/** As many tabs as have room for a name at 360 pixels. */
const MOST_TABS = 5;
/** How many can be chosen where not all fit: the way to the rest takes a place. */
export const MOST_CHOSEN = MOST_TABS - 1;

const chosen = persisted<string[]>('tabs', [], texts);

/** The sections on the bar, in the order of the navigation; reactive. */
export function tabs(): ListedSection[] {
  return tabsOf(SECTIONS, chosen.value);
}

/** Whether the bar leaves sections out, so that there is something to choose. */
export const hasMore = SECTIONS.length > MOST_TABS;

/** Puts a section on the bar or takes it away; a full bar and its last tab stay as they are. */
export function setTab(section: ListedSection, on: boolean): void {
  const rooms = tabs().map(({ room }) => room).filter((room) => room !== section.room);
  const next = on ? [...rooms, section.room] : rooms;
  if (next.length > 0 && next.length <= MOST_CHOSEN) chosen.value = next;
}

/** What is chosen of `sections`, by their rooms; the first ones where nothing that is there was chosen. */
export function tabsOf<S extends { room: string }>(sections: S[], chosen: string[]): S[] {
  if (sections.length <= MOST_TABS) return sections;
  const found = sections.filter(({ room }) => chosen.includes(room)).slice(0, MOST_CHOSEN);
  return found.length > 0 ? found : sections.slice(0, MOST_CHOSEN);
}
