/** A file on its way to the house that somebody waits for: how far it is, and what calls it off. */

import { sendFile } from './transfer';

export class Sending {
  #own = $state.raw<AbortController>();
  #percent = $state(0);

  /** Whether one is on its way; reactive. */
  get isGoing(): boolean {
    return this.#own !== undefined;
  }

  /** How much of it is gone; null while it is made, or the house reads it. Reactive. */
  get percent(): number | null {
    return this.#percent < 100 ? this.#percent : null;
  }

  /** Sends a file, or the one that is made first. Throws an `ApiError`, or what says that it was called off. */
  async send<T>(path: string, file: Blob | (() => Promise<Blob>), type?: string): Promise<T> {
    const own = new AbortController();
    const isMade = typeof file === 'function';
    this.#own = own;
    this.#percent = isMade ? 100 : 0;
    const told = (gone: number) => {
      if (this.#own === own) this.#percent = gone;
    };
    try {
      const whole = isMade ? await file() : file;
      own.signal.throwIfAborted();
      told(0);
      return await sendFile<T>(path, whole, told, own.signal, type);
    } finally {
      if (this.#own === own) this.#own = undefined;
    }
  }

  /** Calls off what is on its way. */
  stop(): void {
    this.#own?.abort();
    this.#own = undefined;
  }
}
