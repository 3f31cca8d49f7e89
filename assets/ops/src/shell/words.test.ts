import { expect, test } from 'vitest';
import english from '../house/messages/refused.en.json';
import korean from '../house/messages/refused.ko.json';
import { fill } from '../lib/i18n.svelte';
import entrance from './messages/entrance.en.json';

test('the card at the door is called what its button does', () => {
  expect(entrance['sign_in.title']).toBe(entrance['sign_in.enter']);
});

test('a bound of thousands of won has its comma', () => {
  const bounds = { least: 1000, most: 3000 };
  expect(fill(english['must.between_won'], bounds)).toContain('1,000 and 3,000 won');
  expect(fill(korean['must.between_won'], bounds)).toContain('3,000원');
});
