/** Where the cards of a `Board` stand: a card that is moved is there at once, and back where it was when that is refused. */

export type Moving<Card> = {
  /** The cards as they are known to stand. */
  cards: () => readonly Card[];
  key: (card: Card) => string | number;
  columnOf: (card: Card) => string;
  /** Moves it where it lasts; throws what is said. */
  move: (card: Card, to: string) => Promise<unknown>;
};

export class BoardState<Card> {
  /** Where cards are on their way to, by what they are known by. */
  #way = $state.raw<ReadonlyMap<string | number, string>>(new Map());
  #of: Moving<Card>;

  constructor(of: Moving<Card>) {
    this.#of = of;
  }

  /** The column in which a card is shown; reactive. */
  columnOf(card: Card): string {
    return this.#way.get(this.#of.key(card)) ?? this.#of.columnOf(card);
  }

  /** The cards of a column in their order; reactive. */
  cardsIn(column: string): Card[] {
    return this.#of.cards().filter((card) => this.columnOf(card) === column);
  }

  isMoving(card: Card): boolean {
    return this.#way.has(this.#of.key(card));
  }

  /** Gives whether it was moved: not to where it is, and not while it is on its way. Throws what `move` throws, after it is back. */
  async move(card: Card, to: string): Promise<boolean> {
    const key = this.#of.key(card);
    if (this.#way.has(key) || this.columnOf(card) === to) return false;
    this.#way = new Map([...this.#way, [key, to]]);
    try {
      await this.#of.move(card, to);
      return true;
    } finally {
      const left = new Map(this.#way);
      left.delete(key);
      this.#way = left;
    }
  }
}
