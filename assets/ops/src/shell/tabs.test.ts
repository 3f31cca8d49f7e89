import { expect, test } from 'vitest';
import { tabsOf } from './tabs.svelte';

const sections = (...rooms: string[]) => rooms.map((room) => ({ room }));
const named = (found: { room: string }[]) => found.map(({ room }) => room).join('');

test('all sections are tabs while they fit', () => {
  expect(named(tabsOf(sections('a', 'b', 'c', 'd', 'e'), ['b']))).toBe('abcde');
});

test('of more than fit, the chosen ones are tabs in the order of the navigation', () => {
  expect(named(tabsOf(sections('a', 'b', 'c', 'd', 'e', 'f'), ['f', 'b', 'e']))).toBe('bef');
});

test('the first four are tabs where nothing was chosen, or only what is gone', () => {
  const six = sections('a', 'b', 'c', 'd', 'e', 'f');
  expect([named(tabsOf(six, [])), named(tabsOf(six, ['gone']))]).toEqual(['abcd', 'abcd']);
  expect(named(tabsOf(six, ['a', 'b', 'c', 'd', 'e']))).toBe('abcd');
});
