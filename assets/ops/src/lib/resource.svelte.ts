/** Something the page shows that comes from the server: loading, then data or a failure, reloaded when it changes. */

import { asApiError, type ApiError } from './api';
import { onChange, type Subject } from './events.svelte';

export class Resource<T> {
  /** The last good answer; kept while it is asked for again, and when that fails. */
  data = $state.raw<T>();
  /** Why the last attempt failed; undefined after a good one. */
  error = $state.raw<ApiError>();
  /** True while an answer is on its way. */
  loading = $state(false);
  #load: () => Promise<T>;
  #asked = 0;
  #askedAt = 0;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Nothing to show yet: the place of a skeleton. */
  get waiting(): boolean {
    return this.data === undefined && this.error === undefined;
  }

  /** Asks again. When several questions are under way, only the answer to the last one counts. */
  async reload(): Promise<void> {
    const asked = ++this.#asked;
    this.#askedAt = performance.now();
    this.loading = true;
    try {
      const data = await this.#load();
      if (asked !== this.#asked) return;
      this.data = data;
      this.error = undefined;
    } catch (cause) {
      if (asked === this.#asked) this.error = asApiError(cause);
    } finally {
      if (asked === this.#asked) this.loading = false;
    }
  }

  /** Asks again when one of the subjects `on` changed on the server, or may have. Returns the end of it. */
  follow(on: Subject[]): () => void {
    return onChange(on, (since) => {
      const isOnItsWay = this.loading && this.#askedAt > since;
      if (!isOnItsWay) void this.reload();
    });
  }

  /** Shows a change before the server has confirmed it; an answer that is still under way is not taken any more. */
  set(data: T): void {
    this.#asked += 1;
    this.loading = false;
    this.data = data;
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
