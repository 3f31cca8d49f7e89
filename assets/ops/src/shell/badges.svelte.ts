/** The marks at the entries of the sections: what is wrong with one, and how much waits in it. */

import { api, call } from '../lib/api';
import { guarded } from '../lib/day';
import { t } from '../lib/i18n.svelte';
import { resource, type Resource } from '../lib/resource.svelte';
import type { Today } from '../lib/schema';
import type { Badge } from '../lib/section';
import { SECTIONS, type ListedSection } from '../sections';

let day = $state.raw<Resource<Today>>();

/** Follows the day for as long as the component that calls it during its set-up is shown. */
export function followDay(): void {
  day = resource(() => call(api.GET('/api/today')), SECTIONS.flatMap(({ badge }) => badge?.changes ?? []), '/api/today');
}

export type Mark = { tone: 'bad' | 'count'; shown: string; said: string };

/** The mark of a section: what is wrong with it goes before what waits in it; reactive. */
export function markOf({ warning, badge }: Pick<ListedSection, 'warning' | 'badge'>, today: Today | undefined = day?.data): Mark | undefined {
  const wrong = warning?.();
  if (wrong) return { tone: 'bad', shown: '!', said: t(wrong) };
  const count = badge && today ? countOf(badge, today) : 0;
  return badge && count > 0 ? { tone: 'count', shown: count > 99 ? '99+' : String(count), said: t(badge.name, { count }) } : undefined;
}

/** One mark for several sections that are not seen: what is wrong with any, else that something waits. */
export function markOfAll(sections: ListedSection[]): Mark | undefined {
  const marks = sections.flatMap((section) => markOf(section) ?? []);
  return marks.find(({ tone }) => tone === 'bad') ?? (marks.length > 0 ? { tone: 'count', shown: '', said: marks.map(({ said }) => said).join(', ') } : undefined);
}

/** Nothing where the count cannot be told: a section that is broken takes no other entry with it. */
function countOf(badge: Badge, today: Today): number {
  try {
    return badge.count(guarded(today));
  } catch {
    return 0;
  }
}
