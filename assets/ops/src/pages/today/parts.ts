/** What the sections have on Today, each found by its declaration `pages/<section>/today.ts`. */

import type { MessageKey } from '../../lib/i18n.svelte';
import type { FirstStep, Need, TodayPart } from '../../lib/section';
import type { Today } from '../../lib/schema';
import { SECTIONS } from '../../sections';

const DECLARED = import.meta.glob<TodayPart>('../*/today.ts', { eager: true, import: 'default' });

/** Each section's part, in the order of the sections. */
export const PARTS = SECTIONS.flatMap(({ room, name }) => {
  const part = DECLARED[`../${room}/today.ts`];
  return part ? [{ ...part, room, name }] : [];
});

/** Every card, in the order of the sections; `key` is what it is known by among all. */
export const CARDS = PARTS.flatMap(({ room, cards = [] }) => cards.map((card) => ({ ...card, key: `${room}-${card.id}` })));

/**
 * What is left of the first steps of all sections: neither done nor among those that were skipped. A section whose facts
 * could not be read has nothing to say just now.
 */
export function stepsOf(today: Today, skipped: string[], parts = PARTS): (FirstStep & { key: string })[] {
  const isLeft = ({ done }: FirstStep) => {
    try {
      return !done?.(today);
    } catch {
      return false;
    }
  };
  const all = parts.flatMap(({ room, steps = [] }) => steps.map((step) => ({ ...step, key: `${room}-${step.id}` })));
  return all.filter((step) => !skipped.includes(step.key) && isLeft(step));
}

/**
 * What needs the household today, the most urgent first, each with an id of its own among all; and the sections that
 * could not say what they need.
 */
export function needsOf(today: Today, now: number, parts = PARTS): { needs: Need[]; failed: MessageKey[] } {
  const needs: Need[] = [];
  const failed = new Set<MessageKey>();
  for (const { room, name, asked } of parts.map((part) => ({ ...part, asked: [part.needs ?? []].flat() }))) {
    for (const needsOfOne of asked) {
      try {
        needs.push(...needsOfOne(today, now).map((need) => ({ ...need, id: `${room}-${need.id}` })));
      } catch (cause) {
        console.error(cause);
        failed.add(name);
      }
    }
  }
  needs.sort((a, b) => a.rank - b.rank);
  // What several sections miss for one cause is one thing to do: the foremost says it.
  const isForemost = ({ cause }: Need, place: number) => cause === undefined || needs.findIndex((need) => need.cause === cause) === place;
  return { needs: needs.filter(isForemost), failed: [...failed] };
}
