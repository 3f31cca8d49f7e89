/** Where the entries of the sections ask for their marks; there is none before what the sections offer has come. */

import { api, call } from '../lib/api';
import { joined, type Resource } from '../lib/resource.svelte';
import type { Today } from '../lib/schema';

export type Mark = { tone: 'bad' | 'count'; shown: string; said: string };

let marks = $state.raw<(room: string) => Mark | undefined>(() => undefined);

let day = $state.raw<Resource<Today>>();

/** Asks for the day, unless a page shows it, for as long as the component that calls it during its set-up is shown. */
export function askForDay(): void {
  day = joined(() => call(api.GET('/api/today')), '/api/today');
}

/** The day that was asked for; reactive. */
export function askedDay(): Resource<Today> | undefined {
  return day;
}

/** Has the marks told by `next`, from the room of a section. */
export function markBy(next: (room: string) => Mark | undefined): void {
  marks = next;
}

/** The mark of a section; reactive. */
export function markOf({ room }: { room: string }): Mark | undefined {
  return marks(room);
}

/** One mark for several sections that are not seen: what is wrong with any, else that something waits. */
export function markOfAll(sections: { room: string }[]): Mark | undefined {
  const found = sections.flatMap((section) => markOf(section) ?? []);
  return found.find(({ tone }) => tone === 'bad') ?? (found.length > 0 ? { tone: 'count', shown: '', said: found.map(({ said }) => said).join(', ') } : undefined);
}
