/**
 * What the server answered, by the address that it was asked at: all pages share it. Who comes back to a page sees at once
 * what was seen there, while it is asked for again; who asks for what is on its way waits for the same answer.
 */

import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { asApiError, isAway, type ApiError } from './api';
import { lastHeard, liveLine, onGap, onValue, type Subject } from './events.svelte';
import { ago, isBefore, type Reading } from './device-clocks';
import { cacheAnswer, cachedAnswer, cacheSession } from './offline-cache';

/** The most that is kept, of which what was shown longest ago goes first. */
const MOST = 60;

const kept = new Map<string, Answer<any>>();
/** What is on the screen now, and how often. */
const shown = new SvelteMap<Answer<any>, number>();

/**
 * As of when what is on the screen is right, while the server is not heard or some of it is what was last seen; undefined
 * when it is right now. Reactive.
 */
export function seenAt(): number | undefined {
  const line = liveLine();
  const all = [...shown.keys()];
  if (line === 'open' || (line !== 'lost' && !all.some(({ isRecalled }) => isRecalled))) return undefined;
  const times = all.flatMap(({ asOf }) => asOf ?? []);
  return times.length === 0 ? lastHeard() : Math.min(...times);
}

/** The answer under a key: an address with its query, or another name that is the same for all who ask for the same. */
export function answerOf<T>(key: string): Answer<T> {
  const known = kept.get(key);
  if (known) return known;
  const made = new Answer<T>(key);
  kept.set(key, made);
  return made;
}

/** Puts it behind all others, and lets go of the first. */
function keep(key: string, answer: Answer<any>): void {
  kept.delete(key);
  kept.set(key, answer);
  const [oldest] = kept.keys();
  if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
}

let beginsWithSeen = false;

/** On a page that was opened without an answer of the server, an answer begins with what was last seen, until it is heard. */
export function beginWithSeen(begins: boolean): void {
  beginsWithSeen = begins;
}

/** Forgets all of it, as when somebody else comes in. */
export function forgetAnswers(): void {
  kept.clear();
}

onValue((key, value) => kept.get(key)?.hear(value));
onGap((until) => shown.forEach((_, answer) => answer.miss(until)));

export class Answer<T> {
  readonly #key: string | undefined;
  /** The last good answer; kept while it is asked for again, and when that fails. */
  #known = $state.raw<T>();
  /** What each change that is not confirmed yet makes of it. */
  #changes = $state.raw<((data: T) => T)[]>([]);
  /** Why the last attempt failed; undefined after a good one. */
  error = $state.raw<ApiError>();
  /** True while an answer is on its way. */
  loading = $state(false);
  #asked = 0;
  #askedAt: Reading | undefined;
  #last = Promise.resolve();
  /** Something changed on the server while a change was under way. */
  #missed = false;
  /** What is known is what was last seen before the server went away. */
  #isRecalled = $state.raw(false);
  #heardAt = 0;
  /** Until when what is known was right; undefined while every change of it is heard of. */
  #rightUntil = $state.raw<number>();
  /** How many follow each subject, and until when the last one did who does not any more. */
  readonly #followed = new Map<Subject, { count: number; until: number }>();

  /** The last good answer, with the changes that are not confirmed yet. No `$derived`: those end with the page they are made for. */
  get data(): T | undefined {
    let data = this.#known;
    for (const change of this.#changes) data = data === undefined ? data : change(data);
    return data;
  }

  /** As of when what is known is right; undefined when nothing is known. Reactive. */
  get asOf(): number | undefined {
    if (this.#known === undefined) return undefined;
    return this.#rightUntil ?? Math.max(this.#heardAt, lastHeard());
  }

  /** Whether it is what was last seen before the server went away; reactive. */
  get isRecalled(): boolean {
    return this.#isRecalled;
  }

  /** Whether something is known, and every change of it is heard of; reactive. */
  get isRight(): boolean {
    return this.#known !== undefined && this.#rightUntil === undefined && this.error === undefined;
  }

  constructor(key?: string) {
    this.#key = key;
  }

  /** Asks for it unless it is on its way; a failure of an earlier visit is not said again. */
  visit(load: () => Promise<T>): void {
    if (this.#key !== undefined) keep(this.#key, this);
    if (untrack(() => this.loading)) return;
    if (untrack(() => this.data) === undefined) {
      this.error = undefined;
      if (beginsWithSeen || untrack(liveLine) === 'lost') void untrack(() => this.#recall());
    }
    void this.reload(load);
  }

  /** It is on the screen, and asked for again when one of these subjects changes. Returns the end of it. */
  show(on: Subject[]): () => void {
    return untrack(() => {
      for (const subject of on) {
        const { count, until } = this.#followed.get(subject) ?? { count: 0, until: 0 };
        // What changed while nobody followed was not heard of.
        if (count === 0) this.miss(until);
        this.#followed.set(subject, { count: count + 1, until });
      }
      shown.set(this, (shown.get(this) ?? 0) + 1);
      return () => untrack(() => this.#leave(on));
    });
  }

  #leave(on: Subject[]): void {
    const until = this.asOf ?? 0;
    for (const subject of on) {
      const count = (this.#followed.get(subject)?.count ?? 1) - 1;
      this.#followed.set(subject, { count, until });
    }
    if (!this.#isFollowed) this.#rightUntil = until;
    const count = (shown.get(this) ?? 1) - 1;
    if (count === 0) shown.delete(this);
    else shown.set(this, count);
  }

  get #isFollowed(): boolean {
    return [...this.#followed.values()].some(({ count }) => count > 0);
  }

  /** Changes after `until` may not have been heard of. */
  miss(until: number): void {
    this.#rightUntil = Math.min(this.#rightUntil ?? Infinity, Math.max(this.#heardAt, until));
  }

  /** Asks again. When several questions are under way, only the answer to the last one counts, and all wait for it. */
  async reload(load: () => Promise<T>): Promise<void> {
    try {
      await this.ask(load);
    } catch (cause) {
      const error = asApiError(cause);
      if (!isAway(error) || !(await this.#recall())) this.error = error;
    }
  }

  /** Shows what was last seen, when nothing is known; whether something is shown, and marked, in place of an answer. */
  async #recall(): Promise<boolean> {
    if (this.#known !== undefined && !this.#isRecalled && liveLine() !== 'open') {
      // What is known is that now; that nothing comes is said once, for all of it.
      this.miss(lastHeard());
      this.#isRecalled = true;
    }
    if (this.#key === undefined || this.#known !== undefined) return this.#isRecalled;
    const seen = await cachedAnswer(this.#key);
    if (seen === undefined || this.#known !== undefined) return this.#known !== undefined;
    this.#known = seen.data as T;
    this.#heardAt = seen.at;
    this.#rightUntil = seen.at;
    this.#isRecalled = true;
    return true;
  }

  #learn(data: T, session: string | undefined): void {
    this.#known = data;
    this.error = undefined;
    this.#isRecalled = false;
    this.#heardAt = Date.now();
    this.#rightUntil = this.#isFollowed ? undefined : this.#heardAt;
    if (this.#key !== undefined) cacheAnswer(this.#key, data, session);
  }

  /** The same where a failure is said elsewhere: throws it. */
  ask(load: () => Promise<T>): Promise<void> {
    this.#last = this.#ask(load);
    return this.#last;
  }

  async #ask(load: () => Promise<T>): Promise<void> {
    const asked = ++this.#asked;
    this.#askedAt = ago(0);
    this.loading = true;
    const session = cacheSession();
    try {
      const data = await load();
      if (asked !== this.#asked) return await this.#last;
      this.#learn(data, session);
    } catch (cause) {
      if (asked !== this.#asked) return await this.#last;
      throw cause;
    } finally {
      if (asked === this.#asked) this.loading = false;
    }
  }

  /** Asks again after a change at `since`, or when the change that is under way has ended. */
  refresh(load: () => Promise<T>, since: Reading): void {
    const isNewer = this.#askedAt !== undefined && !isBefore(this.#askedAt, since) && (this.loading || (this.error === undefined && !this.#isRecalled));
    if (!isNewer) this.miss(lastHeard());
    else if (!this.loading && this.#isFollowed) this.#rightUntil = undefined;
    if (this.#changes.length > 0) this.#missed = true;
    else if (!isNewer) void this.reload(load);
  }

  /** Takes what an event brought, unless a change is under way: which of the two is newer is asked at its end. */
  hear(value: T): void {
    if (this.#changes.length > 0) this.#missed = true;
    else this.set(value);
  }

  /** See `Resource.change`. */
  async change<A>(load: () => Promise<T>, send: () => Promise<A>, confirmed: (data: T, answer: A) => T, shown: (data: T) => T): Promise<A> {
    const change = (data: T) => shown(data);
    this.#changes = [...this.#changes, change];
    try {
      const answer = await send();
      if (this.#known !== undefined) this.#known = confirmed(this.#known, answer);
      return answer;
    } finally {
      this.#changes = this.#changes.filter((other) => other !== change);
      if (this.#missed || this.loading || this.#known === undefined) void this.reload(load);
      this.#missed = false;
    }
  }

  /** Puts in what the server has just made; an answer that is still under way is not taken any more. */
  set(data: T): void {
    this.#asked += 1;
    this.#last = Promise.resolve();
    this.loading = false;
    this.#learn(data, cacheSession());
  }
}
