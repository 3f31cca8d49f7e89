/**
 * One stream for all tabs of this browser: the tab that holds it tells the others what comes. Whoever hears of no holder
 * holds it; of two that do, the older one goes on. A broadcast is all that it takes, which a browser has also on a plain
 * http line in the house, where it has no locks.
 */

import { Stream, Watch, type Hearer, type Line, type NewsName } from './stream';

const CHANNEL = 'hanok.events';
const HIDDEN_MS = 60_000;

type Told = { from: string } & (
  | { kind: 'line'; line: Line }
  | { kind: 'opened'; version: string; age: number }
  | { kind: 'news'; name: NewsName; text: string }
  | { kind: 'beat' }
  | { kind: 'here' }
  | { kind: 'gone' }
  | { kind: 'out' }
);
type Untold<T> = T extends Told ? Omit<T, 'from'> : never;

export type SharedHearer = Hearer & {
  /** Another tab has signed out. */
  out: () => void;
  /** Another tab is heard again after a while in which none was: anything may have changed. */
  missed: () => void;
};

export class SharedStream {
  #hearer: SharedHearer;
  /** Sorts by age. */
  #name = `${String(Date.now()).padStart(16, '0')}-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  #channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(CHANNEL) : undefined;
  /** While this tab holds it. */
  #held: Stream | undefined;
  #watch = new Watch(() => this.#whenAlone());
  #hiding: ReturnType<typeof setTimeout> | undefined;
  /** Nobody is known to hold it, so what happens is not heard. */
  #isAlone = false;

  constructor(hearer: SharedHearer) {
    this.#hearer = hearer;
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<Told>) => this.#hear(data));
    document.addEventListener('visibilitychange', this.#whenSeen);
    addEventListener('pagehide', this.#leave);
    this.#hold();
  }

  /** Tries again at once, by itself when another tab holds the stream. */
  again(): void {
    if (this.#held) this.#held.again();
    else this.#hold();
  }

  /** Ends it for this tab; `out` ends it in the others, too. */
  close(out: boolean): void {
    document.removeEventListener('visibilitychange', this.#whenSeen);
    removeEventListener('pagehide', this.#leave);
    clearTimeout(this.#hiding);
    this.#watch.end();
    if (out) this.#tell({ kind: 'out' });
    this.#leave();
    this.#channel?.close();
  }

  #hold(): void {
    if (this.#held) return;
    this.#held = new Stream({
      line: (line) => {
        this.#isAlone &&= line !== 'open';
        this.#tell({ kind: 'line', line });
        this.#hearer.line(line);
      },
      opened: (version, age) => {
        this.#tell({ kind: 'opened', version, age });
        this.#hearer.opened(version, age);
      },
      news: (name, text) => {
        this.#tell({ kind: 'news', name, text });
        this.#hearer.news(name, text);
      },
      beat: () => {
        this.#tell({ kind: 'beat' });
        this.#hearer.beat();
      },
      broken: () => this.#hearer.broken(),
    });
    this.#tell({ kind: 'here' });
  }

  #hear(told: Told): void {
    if (told.kind === 'out') return this.#hearer.out();
    if (told.kind === 'gone') return this.#whenAlone();
    if (this.#held && told.from > this.#name) return this.#tell({ kind: 'line', line: this.#held.line });
    this.#held?.close();
    this.#held = undefined;
    this.#watch.hear();
    const missed = this.#isAlone;
    this.#isAlone = false;
    if (missed) this.#hearer.missed();
    if (told.kind === 'line') this.#hearer.line(told.line);
    else if (told.kind === 'opened') this.#hearer.opened(told.version, told.age);
    else if (told.kind === 'news') this.#hearer.news(told.name, told.text);
    else if (told.kind === 'beat') this.#hearer.beat();
  }

  /** Whoever held it has gone: with a word, or without one, as a phone stops a tab. */
  #whenAlone(): void {
    if (this.#held) return;
    this.#isAlone = true;
    if (isSeen()) this.#hold();
  }

  /** A browser allows six connections to one server: who is not looked at for a minute leaves this one to others. */
  #whenSeen = (): void => {
    clearTimeout(this.#hiding);
    if (!isSeen()) this.#hiding = setTimeout(this.#leave, HIDDEN_MS);
    else if (this.#isAlone || this.#watch.isSilent) this.#whenAlone();
  };

  #leave = (): void => {
    if (!this.#held) return;
    this.#held.close();
    this.#held = undefined;
    this.#isAlone = true;
    this.#tell({ kind: 'gone' });
  };

  #tell(told: Untold<Told>): void {
    this.#channel?.postMessage({ ...told, from: this.#name });
  }
}

function isSeen(): boolean {
  return document.visibilityState === 'visible';
}
