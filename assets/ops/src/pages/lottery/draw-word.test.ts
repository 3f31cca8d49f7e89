import { expect, test } from 'vitest';
import { drawNamed } from './draw-word';

test('a draw is named by its number, with or without the word for it, in both languages', () => {
  for (const line of ['1245', '#1245', ' 1245회 ', 'draw 1245', 'Draw #1245', '회차 1245', '제1245회', '추첨 1245']) expect(drawNamed(line), line).toBe(1245);
  for (const line of ['', 'draw', 'report 1245', '1245 6', '123456', 'withdraw 12']) expect(drawNamed(line), line).toBeUndefined();
});
