/** A list that a page shows from its beginning and goes on with on demand; what is deleted can be taken back for a while. */

import { orGone } from './api';
import type { Subject } from './events.svelte';
import { gather, type AskPart, type Gathered } from './gather';
import { isLeaving, removeOneWithUndo, type IfUnchanged, type Named, type Removal } from './undo';
import { resource, type Key, type Resource } from './resource.svelte';

export type Listed<T> = {
  /** How many more are shown at a time. */
  page: number;
  /** How many the server gives at once. */
  most: number;
  /** Asks for one part; asked again when a rune that it reads changes. */
  ask: AskPart<T>;
  /** Of what kind its entries are: what is deleted is hidden in every list of the kind. */
  kind: string;
  /** What an entry is known by. */
  key: (entry: T) => unknown;
  /** The subjects whose change it shows. */
  on: Subject[];
  /** The address that it is read at, without its parts: lists of one address share what came. */
  address?: Key;
};

/** Make it while a component is set up. */
export class List<T> {
  readonly loaded: Resource<Gathered<T>>;
  /** What to show: without what is being deleted. */
  readonly entries: T[] = $derived.by(() => this.loaded.data?.entries.filter((entry) => !isLeaving(this.#named(entry))) ?? []);
  /** How many there are, without what is being deleted; undefined before it is known. */
  readonly total: number | undefined = $derived.by(() => this.loaded.data && this.loaded.data.total - this.loaded.data.entries.length + this.entries.length);
  /** Whether the server has more than is loaded. */
  readonly goesOn: boolean = $derived.by(() => this.loaded.data !== undefined && this.loaded.data.total > this.loaded.data.entries.length);
  #kind: string;
  #key: (entry: T) => unknown;
  #page: number;
  #wanted: number;

  constructor({ page, most, ask, kind, key, on, address }: Listed<T>) {
    this.#kind = kind;
    this.#key = key;
    this.#page = page;
    this.loaded = resource(() => gather(this.#wanted, most, ask, key), on, address);
    // Who comes back finds the list as long as it was.
    this.#wanted = Math.max(page, this.loaded.data?.entries.length ?? 0);
  }

  /** Loads the next page; throws the failure, after which as many are wanted as before. */
  async loadOn(): Promise<void> {
    const before = this.#wanted;
    this.#wanted += this.#page;
    try {
      await this.loaded.ask();
    } catch (cause) {
      this.#wanted = before;
      throw cause;
    }
  }

  /** Hides one, and deletes it by `send` when the message with "undo" has ended, unless it is not what was `ifUnchanged` by then. */
  remove(entry: T, send: Removal['send'], said: string, ifUnchanged?: IfUnchanged<T>): void {
    const key = this.#key(entry);
    removeOneWithUndo(this.#named(entry), {
      send: (lasting) => this.loaded.change(() => orGone(send(lasting)), ({ entries, total }) => {
        const left = entries.filter((other) => this.#key(other) !== key);
        return { entries: left, total: total + left.length - entries.length };
      }),
      said,
      ...(ifUnchanged && { ifUnchanged }),
    });
  }

  #named(entry: T): Named {
    return { kind: this.#kind, key: this.#key(entry) };
  }
}
