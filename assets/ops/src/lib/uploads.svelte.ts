/**
 * Files on their way to the house, a few at a time: each can be paused, called off and tried again. `UploadQueue.svelte` shows
 * them. It lives with the page that made it, or with a module, when it is to outlive that.
 *
 *     const queue = new Uploads(async (name, file) => { await call(api.POST('/api/music/tracks', { body: { file: name, title: file.name } })); });
 *     <FilePicker accept="audio/*" onpick={(files) => queue.add(files)} />
 *     <UploadQueue {queue} />
 */

import { asApiError, type ApiError } from './api';
import { discard, PAUSED, upload, type Begun } from './upload';

export type UploadState = 'waiting' | 'sending' | 'paused' | 'done' | 'failed';

/** How many go at once: more would only wait for each other. */
const AT_ONCE = 2;
let last = 0;

export class Upload {
  readonly id = ++last;
  readonly file: File;
  state = $state<UploadState>('waiting');
  /** How much of it is there, of a hundred. */
  percent = $state(0);
  error = $state.raw<ApiError>();
  /** What has come in of it. */
  readonly begun: Begun = {};
  control = new AbortController();

  constructor(file: File) {
    this.file = file;
  }
}

export class Uploads {
  /** All of them, the oldest first; reactive. */
  list = $state.raw<Upload[]>([]);
  #arrived: (name: string, file: File) => unknown;

  /** `arrived` is told of each that is there, by the name that it has there; what it throws counts as a failure of the file. */
  constructor(arrived: (name: string, file: File) => unknown) {
    this.#arrived = arrived;
  }

  /** Whether any is on its way or waits for it; reactive. */
  get isGoing(): boolean {
    return this.list.some(({ state }) => state === 'waiting' || state === 'sending');
  }

  add(files: readonly File[]): void {
    this.list = [...this.list, ...files.map((file) => new Upload(file))];
    this.#next();
  }

  /** Stops it where it is. */
  pause(one: Upload): void {
    if (one.state === 'sending') one.control.abort(PAUSED);
    if (one.state === 'sending' || one.state === 'waiting') one.state = 'paused';
    this.#next();
  }

  /** Goes on with one that was paused or has failed, where it stands. */
  resume(one: Upload): void {
    if (one.state !== 'paused' && one.state !== 'failed') return;
    one.state = 'waiting';
    one.error = undefined;
    this.#next();
  }

  /** Calls it off, and takes it out of the list; one that is there stays there. */
  remove(one: Upload): void {
    this.list = this.list.filter((other) => other !== one);
    if (one.state === 'sending') one.control.abort();
    else if (one.state !== 'done') discard(one.begun);
    this.#next();
  }

  #next(): void {
    const going = this.list.filter(({ state }) => state === 'sending').length;
    this.list.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, AT_ONCE - going)).forEach((one) => void this.#send(one));
  }

  async #send(one: Upload): Promise<void> {
    const control = new AbortController();
    one.control = control;
    one.state = 'sending';
    try {
      const name = await upload(one.file, (percent) => (one.percent = percent), control.signal, one.begun);
      await this.#arrived(name, one.file);
      one.percent = 100;
      one.state = 'done';
    } catch (cause) {
      // Whoever stopped it has said what it is now.
      if (!control.signal.aborted) {
        one.error = asApiError(cause);
        one.state = 'failed';
      }
    }
    this.#next();
  }
}
