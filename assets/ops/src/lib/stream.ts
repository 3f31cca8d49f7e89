/** One stream of events from the server, opened again when it breaks, and when nothing is heard on it any more. */

import type { Schemas } from './schema';

export type Line = 'connecting' | 'open' | 'lost';
/** What comes on it besides its beats and its first word. */
export type NewsName = 'changed' | 'task';

/** What a server says first. */
type Hello = Schemas['Hello'];

export type Hearer = {
  /** How the line is, again each second while it is not open. */
  line: (line: Line) => void;
  /** It has opened, to a server of this version; what was asked for longer than `age` ago, in milliseconds, may be out of date. */
  opened: (version: string, age: number) => void;
  /** `text` is the JSON that came. */
  news: (name: NewsName, text: string) => void;
  /** The server is well. */
  beat: () => void;
  /** It broke or did not open: the server may be away, or not let us in any more. */
  broken: () => void;
};

/** The server is heard every two seconds, so this is twice its longest silence. */
export const SILENCE_MS = 4_000;
const LOOK_MS = 500;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 8_000;

/** Tells when nothing was heard for too long, by the clock on the wall: also when the device slept meanwhile. */
export class Watch {
  #heard = Date.now();
  #timer: ReturnType<typeof setInterval>;

  constructor(whenSilent: () => void) {
    this.#timer = setInterval(() => {
      if (!this.isSilent) return;
      this.hear();
      whenSilent();
    }, LOOK_MS);
  }

  get isSilent(): boolean {
    return Math.abs(Date.now() - this.#heard) >= SILENCE_MS;
  }

  hear(): void {
    this.#heard = Date.now();
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

export class Stream {
  #hearer: Hearer;
  #source: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #wait = FIRST_WAIT_MS;
  #line: Line = 'connecting';
  #asked = 0;
  #watch = new Watch(() => this.#fallSilent());
  #saying: ReturnType<typeof setInterval>;

  constructor(hearer: Hearer) {
    this.#hearer = hearer;
    this.#saying = setInterval(() => this.#line !== 'open' && this.#say(this.#line), 1_000);
    addEventListener('online', this.again);
    this.#open();
  }

  get line(): Line {
    return this.#line;
  }

  /** Tries again at once. */
  again = (): void => {
    this.#wait = FIRST_WAIT_MS;
    this.#open();
  };

  close(): void {
    this.#watch.end();
    clearInterval(this.#saying);
    removeEventListener('online', this.again);
    this.#hangUp();
  }

  #open(): void {
    this.#hangUp();
    const opened = new EventSource('/api/events');
    this.#source = opened;
    this.#asked = performance.now();
    opened.addEventListener('hello', (event) => {
      this.#watch.hear();
      this.#wait = FIRST_WAIT_MS;
      const { version, quiet_ms } = readHello((event as MessageEvent<string>).data);
      this.#say('open');
      this.#hearer.opened(version, quiet_ms);
    });
    opened.addEventListener('error', () => {
      if (this.#line === 'open') this.#say('connecting');
      this.#hearer.broken();
      this.#openLater();
    });
    opened.addEventListener('beat', () => {
      this.#watch.hear();
      this.#hearer.beat();
    });
    for (const name of ['changed', 'task'] as const) {
      opened.addEventListener(name, (event) => {
        this.#watch.hear();
        this.#hearer.news(name, (event as MessageEvent<string>).data);
      });
    }
  }

  #fallSilent(): void {
    const wasOpen = this.#line === 'open';
    this.#say('lost');
    if (wasOpen) this.#open();
    else if (this.#source && performance.now() - this.#asked >= SILENCE_MS) this.#openLater();
  }

  #openLater(): void {
    this.#hangUp();
    this.#retry = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  #hangUp(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
  }

  #say(line: Line): void {
    this.#line = line;
    this.#hearer.line(line);
  }
}

/** What a server says first. One that does not say for how long nothing has changed may have changed all just now. */
function readHello(text: string): Hello {
  try {
    return { version: '', quiet_ms: 0, ...(JSON.parse(text) as Partial<Hello>) };
  } catch {
    return { version: '', quiet_ms: 0 };
  }
}
