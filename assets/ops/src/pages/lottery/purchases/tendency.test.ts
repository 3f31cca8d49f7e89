import { expect, test } from 'vitest';
import { inLanguage } from '../../../lib/catalogue';
import { fill } from '../../../lib/i18n.svelte';
import all from '../messages.json';
import { inZoneByChance, NEIGHBOURS_BY_CHANCE, RANGE_BY_CHANCE } from './tendency';

test('one game is one game', () => {
  expect(['1', '12'].map((games) => fill(inLanguage(all.purchases, 'en')['personal.numbers.text'], { games, expected: '0.1' }).split('.')[0])).toEqual(['1 game', '12 games']);
});

test('what a habit stands beside is what an even choice of all 8,145,060 games gives', () => {
  // Counted over all of them: their ranges add up to 267,623,400, and 4,306,680 have two neighbours.
  expect(RANGE_BY_CHANCE).toBeCloseTo(267_623_400 / 8_145_060, 12);
  expect(NEIGHBOURS_BY_CHANCE).toBeCloseTo(4_306_680 / 8_145_060, 12);
  expect([inZoneByChance('1-10'), inZoneByChance('41-45')]).toEqual([60 / 45, 30 / 45]);
});
