/** Something the page shows that comes from the server: loading, then data or a failure, reloaded when it changes. */

import { untrack } from 'svelte';
import { Answer, answerOf } from './answer.svelte';
import type { ApiError } from './api';
import { liveLine, onChange, type Subject } from './events.svelte';

/** The address that it is read at, with its query; a function where runes decide. Without one, nobody shares the answer. */
export type Key = string | (() => string);

export class Resource<T> {
  #load: () => Promise<T>;
  #key: Key | undefined;
  #own = new Answer<T>();
  #last: Answer<T> | undefined;
  /** What was shown before the key changed, until something has come for the new one. */
  #before: Answer<T> | undefined;
  #visited: Answer<T> | undefined;
  /** Nobody who makes a state waits for it: who came to an answer first looks once more after the visit. */
  #visits = $state(0);

  constructor(load: () => Promise<T>, key?: Key) {
    this.#load = load;
    this.#key = key;
  }

  /** The last good answer, with the changes that are not confirmed yet; kept while it is asked for again, and when that fails. */
  get data(): T | undefined {
    return this.#answer.data ?? this.#before?.data;
  }

  /** Why the last attempt failed; undefined after a good one. */
  get error(): ApiError | undefined {
    return this.#answer.error;
  }

  /** True while an answer is on its way. */
  get loading(): boolean {
    return this.#answer.loading;
  }

  /** Nothing to show yet: the place of a skeleton. */
  get waiting(): boolean {
    return this.data === undefined && this.error === undefined;
  }

  /** The answer that is shown; reactive. */
  get answer(): Answer<T> {
    return this.#answer;
  }

  get #answer(): Answer<T> {
    void this.#visits;
    return this.#find();
  }

  #find(): Answer<T> {
    const key = typeof this.#key === 'function' ? this.#key() : this.#key;
    const answer = key === undefined ? this.#own : answerOf<T>(key);
    if (answer !== this.#last) {
      if (untrack(() => this.#last?.data) !== undefined) this.#before = this.#last;
      this.#last = answer;
    }
    return answer;
  }

  /** Asks for it as who comes to it: what is known is shown meanwhile, what is on its way is waited for. */
  visit(): void {
    const answer = this.#find();
    if (answer === this.#visited) return void answer.reload(this.#load);
    this.#visited = answer;
    answer.visit(this.#load);
    untrack(() => (this.#visits += 1));
  }

  /** Comes to it beside a page that may show it: what is right now is not asked for again. */
  join(): void {
    const answer = this.#find();
    if (untrack(() => answer.isRight)) this.#visited = answer;
    else this.visit();
  }

  /** Asks again. When several questions are under way, only the answer to the last one counts, and all wait for it. */
  reload(): Promise<void> {
    return this.#answer.reload(this.#load);
  }

  /** The same where a failure is said elsewhere: throws it. */
  ask(): Promise<void> {
    return this.#answer.ask(this.#load);
  }

  /** Asks again when one of the subjects `on` changed on the server, or may have. Returns the end of it. */
  follow(on: Subject[]): () => void {
    return onChange(on, (since) => {
      const answer = this.#find();
      // What nobody has come to for long is not kept: then it is come to anew.
      if (this.#visited && answer !== this.#visited) this.visit();
      else answer.refresh(this.#load, since);
    });
  }

  /**
   * Changes it on the server by `send`, and throws the refusal. Until then `shown` is laid over whatever is known, so that
   * a refusal takes back this change and no other; `confirmed` puts the answer into what is known. What is heard meanwhile
   * is asked for at the end: an answer that is on its way then may be older than the change. So is everything when nothing
   * was known that the answer could be put into.
   */
  change<A>(send: () => Promise<A>, confirmed: (data: T, answer: A) => T, shown: (data: T) => T = (data) => data): Promise<A> {
    return this.#answer.change(this.#load, send, confirmed, shown);
  }

  /** Puts in what the server has just made; an answer that is still under way is not taken any more. */
  set(data: T): void {
    this.#answer.set(data);
  }
}

/**
 * A resource of a component: asked for at once, again when a rune that `load` reads changes, again when one of the
 * subjects `on` changed on the server. Who reads the same `key` elsewhere shares the answer, and who comes back to it sees
 * it at once. Call it while the component is set up.
 */
export function resource<T>(load: () => Promise<T>, on: Subject[] = [], key?: Key): Resource<T> {
  const made = new Resource(load, key);
  $effect(() => made.visit());
  tend(made, on);
  return made;
}

/** The same for what comes after the page, and beside it: asked for only where nobody has, or where the answer may be old. */
export function joined<T>(load: () => Promise<T>, key: Key): Resource<T> {
  const made = new Resource(load, key);
  $effect(() => made.join());
  tend(made, []);
  return made;
}

function tend<T>(made: Resource<T>, on: Subject[]): void {
  const answer = $derived(made.answer);
  $effect(() => made.follow(on));
  $effect(() => answer.show(on));
  // What is told of no change is told of no opening either.
  $effect(() => {
    if (liveLine() === 'open' && answer.isRecalled && !untrack(() => answer.loading)) void made.reload();
  });
}
