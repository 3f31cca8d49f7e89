/** The marks at the entries of the sections: what is wrong with one, and how much waits in it. They come after the first page. */

import { guarded } from '../lib/day';
import { t } from '../lib/i18n.svelte';
import type { OfferingSection } from '../lib/offered.svelte';
import type { Today } from '../lib/schema';
import type { Offers } from '../lib/section';
import { askedDay, markBy, type Mark } from './marks.svelte';

/** Marks the sections, and follows the day for as long as the component that calls it during its set-up is shown. */
export function markSections(sections: OfferingSection[]): void {
  const subjects = sections.flatMap(({ badge }) => badge?.changes ?? []);
  $effect(() => askedDay()?.follow(subjects));
  $effect(() => askedDay()?.answer.show(subjects));
  const offers = new Map(sections.map((section) => [section.room, section]));
  markBy((room) => markOf(offers.get(room) ?? {}, askedDay()?.data));
}

/** The mark of a section: what is wrong with it goes before what waits in it; reactive. */
export function markOf({ warning, badge }: Pick<Offers, 'warning' | 'badge'>, today: Today | undefined): Mark | undefined {
  const wrong = warning && asked(warning);
  if (wrong) return { tone: 'bad', shown: '!', said: t(wrong) };
  const count = (badge && today && asked(() => badge.count(guarded(today)))) ?? 0;
  return badge && count > 0 ? { tone: 'count', shown: count > 99 ? '99+' : String(count), said: t(badge.name, { count }) } : undefined;
}

/** What a section says of itself; nothing where it fails: one that is broken takes no other entry with it. */
function asked<T>(section: () => T): T | undefined {
  try {
    return section();
  } catch {
    return undefined;
  }
}
