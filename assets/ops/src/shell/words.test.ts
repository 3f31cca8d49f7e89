import { expect, test } from 'vitest';
import house from '../house/messages.json';
import { inLanguage } from '../lib/catalogue';
import { fill } from '../lib/i18n.svelte';
import shell from './messages.json';

const [korean, english, entrance] = [inLanguage(house.refused, 'ko'), inLanguage(house.refused, 'en'), inLanguage(shell.entrance, 'en')];

test('the card at the door is called what its button does', () => {
  expect(entrance['sign_in.title']).toBe(entrance['sign_in.enter']);
});

test('a bound of thousands of won has its comma', () => {
  const bounds = { least: 1000, most: 3000 };
  expect(fill(english['must.between_won'], bounds)).toContain('1,000 and 3,000 won');
  expect(fill(korean['must.between_won'], bounds)).toContain('3,000원');
});
