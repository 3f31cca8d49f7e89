import { expect, test } from 'vitest';
import { fill } from '../../../lib/i18n.svelte';
import english from '../messages/lottery.en.json';
import { tendency } from './tendency';

test('a few games prefer nothing, however far from the average they lie', () => {
  expect([tendency(1, 40, 10), tendency(9, -40, 10), tendency(10, 40, 10), tendency(10, -40, 10), tendency(10, 10, 10)]).toEqual(['few', 'few', 'more', 'less', 'even']);
});

test('one game is one game', () => {
  expect(['1', '12'].map((games) => fill(english['personal.numbers.text'], { games, expected: '0.1' }).split('.')[0])).toEqual(['1 game', '12 games']);
});
