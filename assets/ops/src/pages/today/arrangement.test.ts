import { expect, test } from 'vitest';
import { arrange, arrangement, canUndo, inOrder, moved, toggled, undo } from './arrangement.svelte';

const cards = (...keys: string[]) => keys.map((key) => ({ key }));
const keys = (found: { key: string }[]) => found.map(({ key }) => key).join('');

test('cards stand as they are declared until they are put in order', () => {
  expect(keys(inOrder(cards('a', 'b', 'c'), { order: [] }))).toBe('abc');
  expect(keys(inOrder(cards('a', 'b', 'c'), { order: ['c', 'a', 'b'] }))).toBe('cab');
});

test('a card that came since stands behind the one it is declared behind, and one that has gone leaves no gap', () => {
  expect(keys(inOrder(cards('a', 'b', 'new', 'c'), { order: ['c', 'b', 'a'] }))).toBe('cbnewa');
  expect(keys(inOrder(cards('new', 'a', 'b'), { order: ['b', 'a'] }))).toBe('newba');
  expect(keys(inOrder(cards('a', 'x', 'y'), { order: ['gone', 'a'] }))).toBe('axy');
});

test('a card goes a place up or down, and not beyond the ends', () => {
  const none = { order: [], hidden: ['x'] };
  expect(moved(none, ['a', 'b', 'c'], 'b', -1)).toEqual({ order: ['b', 'a', 'c'], hidden: ['x'] });
  expect(moved(none, ['a', 'b', 'c'], 'c', 1).order).toEqual(['a', 'b', 'c']);
});

test('what was changed can be taken back, step by step', () => {
  arrange(toggled(arrangement(), 'a'));
  arrange(moved(arrangement(), ['a', 'b'], 'a', 1));
  expect(arrangement()).toEqual({ order: ['b', 'a'], hidden: ['a'] });
  undo();
  expect(arrangement()).toEqual({ order: [], hidden: ['a'] });
  undo();
  expect([arrangement(), canUndo()]).toEqual([{ order: [], hidden: [] }, false]);
  undo();
  expect(arrangement()).toEqual({ order: [], hidden: [] });
});
