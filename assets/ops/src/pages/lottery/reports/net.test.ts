import { expect, test } from 'vitest';
import { knownNet } from './net';

const bought = (games: number, waiting_games: number, net: number) => ({ games, waiting_games, net, amount: games * 1000, prize: 0, ranks: [] });

test('a draw has no net while every game of it waits for its prize, and none without games', () => {
  expect(knownNet(bought(2, 2, 0))).toBeUndefined();
  expect(knownNet(bought(0, 0, 0))).toBeUndefined();
});

test('a draw has the net of the games whose prize is known, a zero among them', () => {
  expect(knownNet(bought(7, 5, 3000))).toBe(3000);
  expect(knownNet(bought(5, 0, 0))).toBe(0);
});
