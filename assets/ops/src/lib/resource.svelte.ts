/** Something the page shows that comes from the server: loading, then data or a failure, reloaded when it changes. */

import { asApiError, type ApiError } from './api';
import { onChange, type Subject } from './events.svelte';

export class Resource<T> {
  /** The last good answer; kept while it is asked for again, and when that fails. */
  #answer = $state.raw<T>();
  /** What each change that is not confirmed yet makes of it. */
  #changes = $state.raw<((data: T) => T)[]>([]);
  /** The last good answer, with the changes that are not confirmed yet. */
  readonly data: T | undefined = $derived.by(() => {
    let data = this.#answer;
    for (const change of this.#changes) data = data === undefined ? data : change(data);
    return data;
  });
  /** Why the last attempt failed; undefined after a good one. */
  error = $state.raw<ApiError>();
  /** True while an answer is on its way. */
  loading = $state(false);
  #load: () => Promise<T>;
  #asked = 0;
  #askedAt = 0;
  #last = Promise.resolve();
  /** Something changed on the server while a change was under way. */
  #missed = false;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Nothing to show yet: the place of a skeleton. */
  get waiting(): boolean {
    return this.data === undefined && this.error === undefined;
  }

  /** Asks again. When several questions are under way, only the answer to the last one counts, and all wait for it. */
  async reload(): Promise<void> {
    try {
      await this.ask();
    } catch (cause) {
      this.error = asApiError(cause);
    }
  }

  /** The same where a failure is said elsewhere: throws it. */
  ask(): Promise<void> {
    this.#last = this.#ask();
    return this.#last;
  }

  async #ask(): Promise<void> {
    const asked = ++this.#asked;
    this.#askedAt = performance.now();
    this.loading = true;
    try {
      const data = await this.#load();
      if (asked !== this.#asked) return await this.#last;
      this.#answer = data;
      this.error = undefined;
    } catch (cause) {
      if (asked !== this.#asked) return await this.#last;
      throw cause;
    } finally {
      if (asked === this.#asked) this.loading = false;
    }
  }

  /** Asks again when one of the subjects `on` changed on the server, or may have. Returns the end of it. */
  follow(on: Subject[]): () => void {
    return onChange(on, (since) => {
      const isOnItsWay = this.loading && this.#askedAt > since;
      if (this.#changes.length > 0) this.#missed = true;
      else if (!isOnItsWay) void this.reload();
    });
  }

  /**
   * Changes it on the server by `send`, and throws the refusal. Until then `shown` is laid over whatever is known, so that
   * a refusal takes back this change and no other; `confirmed` puts the answer into what is known. What is heard meanwhile
   * is asked for at the end: an answer that is on its way then may be older than the change.
   */
  async change<A>(send: () => Promise<A>, confirmed: (data: T, answer: A) => T, shown: (data: T) => T = (data) => data): Promise<A> {
    const change = (data: T) => shown(data);
    this.#changes = [...this.#changes, change];
    try {
      const answer = await send();
      if (this.#answer !== undefined) this.#answer = confirmed(this.#answer, answer);
      return answer;
    } finally {
      this.#changes = this.#changes.filter((other) => other !== change);
      if (this.#missed || this.loading) void this.reload();
      this.#missed = false;
    }
  }

  /** Puts in what the server has just made; an answer that is still under way is not taken any more. */
  set(data: T): void {
    this.#asked += 1;
    this.#last = Promise.resolve();
    this.loading = false;
    this.#answer = data;
  }
}

/**
 * A resource of a component: asked for at once, again when a rune that `load` reads changes, again when one of the
 * subjects `on` changed on the server. Call it while the component is set up.
 */
export function resource<T>(load: () => Promise<T>, on: Subject[] = []): Resource<T> {
  const made = new Resource(load);
  $effect(() => {
    void made.reload();
  });
  $effect(() => made.follow(on));
  return made;
}
