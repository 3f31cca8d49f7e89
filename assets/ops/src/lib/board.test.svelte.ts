import { expect, test } from 'vitest';
import { BoardState } from './board.svelte';

test('a card that is moved is there at once, is not moved twice, and is back when that is refused', async () => {
  let cards = [{ id: 1, stage: 'draft' }, { id: 2, stage: 'draft' }];
  let end!: (isRefused: boolean) => void;
  const asked: string[] = [];
  const board = new BoardState({
    cards: () => cards, key: ({ id }) => id, columnOf: ({ stage }) => stage,
    move: ({ id }, to) => {
      asked.push(`${id} ${to}`);
      return new Promise<void>((resolve, reject) => (end = (isRefused) => (isRefused ? reject(new Error('refused')) : resolve())));
    },
  });
  const shown = () => ['draft', 'review'].map((stage) => board.cardsIn(stage).map(({ id }) => id));

  const first = board.move(cards[0]!, 'review');
  expect([shown(), board.isMoving(cards[0]!), await board.move(cards[0]!, 'draft')]).toEqual([[[2], [1]], true, false]);
  cards = [{ id: 1, stage: 'review' }, cards[1]!];
  end(false);
  expect([await first, shown(), await board.move(cards[0]!, 'review')]).toEqual([true, [[2], [1]], false]);

  const second = board.move(cards[1]!, 'review');
  end(true);
  await expect(second).rejects.toThrow('refused');
  expect([shown(), asked]).toEqual([[[2], [1]], ['1 review', '2 review']]);
});
