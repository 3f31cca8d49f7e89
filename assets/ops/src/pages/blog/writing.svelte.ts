/**
 * A post while somebody writes it: every keystroke is kept in this browser at once and sent to the server a moment later.
 * What cannot be sent is tried again. Whoever writes on a version that is not the newest is told, unless what both have
 * written fits together.
 */

import { asApiError, isAway, newKey, type ApiError } from '../../lib/api';
import { forgetAtSignOut } from '../../lib/unsent';
import { blank, differing, fieldsOf, merged } from './fields';
import type { Keeping } from './keeping';
import type { Fields, Post } from './types';

/** How the server is asked. */
export type Server = {
  add: (fields: Fields, key: string) => Promise<Post>;
  change: (id: number, changes: Partial<Fields> & { version: number; overwrite?: true }) => Promise<Post>;
  find: (id: number) => Promise<Post>;
  restore: (id: number) => Promise<Post>;
};

/** How what was written stands. */
export type Standing = 'empty' | 'saved' | 'unsaved' | 'saving' | 'away' | 'refused' | 'changed_elsewhere' | 'gone';

/** After the last keystroke. */
const PAUSE_MS = 700;
/** After nobody answered. */
const AGAIN_MS = 3_000;

/** Those whose page is there, or has gone before everything was sent. */
const living = new Set<Writing>();
forgetAtSignOut(() => living.forEach((writing) => writing.drop()));

export class Writing {
  /** What is written. */
  readonly fields: Fields;
  standing = $state<Standing>('empty');
  /** The post as the server had it last; undefined before it has it. */
  post = $state.raw<Post>();
  /** Why the server does not take it. */
  problem = $state.raw<ApiError>();
  /** The newest version, which somebody else wrote, where the two do not fit together. */
  theirs = $state.raw<Post>();
  readonly #server: Server;
  readonly #keeping: Keeping;
  #told: ((post: Post) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  /** What was sent as a new post and not answered: nobody knows whether the server has it. */
  #unanswered: { fields: Fields; key: string } | undefined;
  /** What was sent as changes and not answered since the last answer. */
  #lost: Fields[] = [];
  /** What stands there is somebody else's and gives way to this: the server keeps it. */
  #givesWay = false;
  /** What was sent and became this version: the server trims ends, and who is about to type on keeps theirs. */
  #agreed: { version: number; fields: Fields } | undefined;
  #isLeft = false;
  #isDropped = false;

  /** `post` is what the server has; `told` hears of each version that it takes. */
  constructor(server: Server, keeping: Keeping, post: Post | undefined, told?: (post: Post) => void) {
    living.add(this);
    this.#server = server;
    this.#keeping = keeping;
    this.#told = told;
    this.post = post;
    const kept = keeping.read(post?.id);
    const first = post ? fieldsOf(post) : blank(Date.now());
    this.fields = $state(kept?.fields ?? first);
    // What was sent before this page was loaded anew may be there: the key makes it one post.
    if (kept?.key) this.#unanswered = { fields: kept.sent ?? kept.fields, key: kept.key };
    this.standing = post ? 'saved' : 'empty';
    if (!kept) return;
    if (post && kept.base) {
      // What is kept again was written on the same version as before.
      this.post = kept.base;
      this.#meet(kept.base, post);
    }
    this.written();
  }

  /**
   * The post with what was kept of it, which is all there is while the server is away or when somebody has deleted it; one
   * that was left and is still being sent goes on.
   */
  static async begin(server: Server, keepingHere: () => Keeping, id: number | undefined, told?: (post: Post) => void): Promise<Writing> {
    const left = [...living].find((writing) => writing.#isLeft && writing.post?.id === id);
    if (left) {
      left.#isLeft = false;
      left.#told = told;
      return left;
    }
    const keeping = keepingHere();
    const found = id === undefined ? undefined : await server.find(id).catch((cause: unknown) => {
      const base = keeping.read(id)?.base;
      if (!base) throw cause;
      return base;
    });
    return new Writing(server, keeping, found, told);
  }

  /** What is written and not on the server. */
  get changes(): Partial<Fields> {
    const written = $state.snapshot(this.fields) as Fields;
    const changes = differing(this.post ? fieldsOf(this.post) : blank(Date.now()), written);
    if (!this.post || this.#agreed?.version !== this.post.version) return changes;
    const since = differing(this.#agreed.fields, written);
    return Object.fromEntries(Object.entries(changes).filter(([field]) => field in since));
  }

  /** Something was typed: it is kept at once, and sent after a pause. */
  written(): void {
    this.#keep();
    if (this.standing === 'changed_elsewhere' || this.standing === 'gone') return;
    if (Object.keys(this.changes).length === 0 && !this.#unanswered) {
      if (!this.#sending) this.standing = this.post ? 'saved' : 'empty';
      return;
    }
    if (this.standing !== 'away' && this.standing !== 'saving') this.standing = 'unsaved';
    this.#after(PAUSE_MS);
  }

  /** Sends what is written now; waits until it is there, or until that is known to be in vain. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isDropped || this.standing === 'changed_elsewhere' || this.standing === 'gone') return;
    await this.#sending;
    const changes = this.changes;
    if (Object.keys(changes).length === 0 && !this.#unanswered) return;
    const sending = this.#send(changes);
    this.#sending = sending;
    await sending;
    if (this.#sending === sending) this.#sending = undefined;
    this.#rest();
  }

  /** The server is heard again, or the post has changed there. */
  async look(): Promise<void> {
    if (this.standing === 'away' || this.standing === 'refused') return this.save();
    if (!this.post || this.#sending || this.standing === 'gone') return;
    try {
      const now = await this.#server.find(this.post.id);
      if (this.#sending || now.version <= this.post.version) return;
      this.#meet(this.post, now);
      this.written();
    } catch (cause) {
      if (asApiError(cause).code === 'NOT_FOUND') this.standing = 'gone';
    }
  }

  /** What is written here takes the place of theirs, or gives way to it; gives what was written here. */
  async decide(isMine: boolean): Promise<Fields | undefined> {
    const theirs = this.theirs;
    if (!theirs) return undefined;
    const mine = $state.snapshot(this.fields) as Fields;
    this.post = theirs;
    this.theirs = undefined;
    this.#givesWay = isMine;
    if (!isMine) Object.assign(this.fields, fieldsOf(theirs));
    this.standing = 'saved';
    this.written();
    await this.save();
    return mine;
  }

  /** Writes again what gave way. */
  takeBack(mine: Fields): void {
    Object.assign(this.fields, mine);
    this.written();
  }

  /** Brings the post back that was deleted elsewhere, and goes on. */
  async bringBack(): Promise<void> {
    if (!this.post) return;
    try {
      this.post = await this.#server.restore(this.post.id);
      this.problem = undefined;
      this.standing = 'saved';
      this.written();
      await this.save();
    } catch (cause) {
      this.problem = asApiError(cause);
    }
  }

  /** Whether a page of this tab writes this post, a new one without an id, or has been left and still sends it. */
  static isHere(id: number | undefined): boolean {
    return [...living].some(({ post }) => post?.id === id);
  }

  /**
   * The page goes: what is not sent yet is sent without waiting, as often as it takes, and stays kept until it is there.
   * Waits for the first attempt.
   */
  async end(): Promise<void> {
    this.#isLeft = true;
    this.#told = undefined;
    await this.save();
    this.#rest();
  }

  /** Nothing of it is kept or sent any more. */
  drop(): void {
    this.#isDropped = true;
    clearTimeout(this.#timer);
    living.delete(this);
  }

  /** Whoever was left and has nothing to send by itself lives no longer; what it could not send is kept. */
  #rest(): void {
    if (this.#isLeft && !['unsaved', 'saving', 'away'].includes(this.standing)) living.delete(this);
  }

  #after(pause: number): void {
    clearTimeout(this.#timer);
    if (!this.#isDropped) this.#timer = setTimeout(() => void this.save(), pause);
  }

  async #send(changes: Partial<Fields>): Promise<void> {
    const written = $state.snapshot(this.fields) as Fields;
    if (this.standing !== 'away') this.standing = 'saving';
    try {
      if (this.post) {
        this.#take(await this.#server.change(this.post.id, { ...changes, version: this.post.version, ...(this.#givesWay && { overwrite: true }) }), written);
      } else {
        // Under one key only one post can come of it: what was written meanwhile follows as a change.
        const first = this.#unanswered ?? { fields: written, key: newKey() };
        this.#unanswered = first;
        this.#keep();
        this.#take(await this.#server.add(first.fields, first.key), first.fields);
      }
    } catch (cause) {
      await this.#fail(asApiError(cause), written);
    }
  }

  #take(post: Post, sent: Fields): void {
    const isFirst = this.post === undefined;
    this.#unanswered = undefined;
    this.#lost = [];
    this.#givesWay = false;
    this.problem = undefined;
    if (isFirst) this.#keeping.forget(undefined);
    this.post = post;
    this.standing = 'saved';
    this.#agreed = { version: post.version, fields: sent };
    if (Object.keys(this.changes).length > 0) this.written();
    else this.#keeping.forget(post.id);
    this.#told?.(post);
  }

  async #fail(problem: ApiError, written?: Fields): Promise<void> {
    if (isAway(problem) || problem.code === 'UNANSWERED' || problem.status >= 500 || problem.status === 429) {
      if (written && this.post) this.#lost.push(written);
      this.standing = 'away';
      return this.#after(AGAIN_MS);
    }
    if (problem.code === 'NEWER_VERSION' && this.post) return this.#compare(this.post);
    const wasPost = this.post !== undefined;
    this.#unanswered = undefined;
    this.standing = problem.code === 'NOT_FOUND' && wasPost ? 'gone' : 'refused';
    this.problem = problem;
  }

  async #compare(base: Post): Promise<void> {
    try {
      const now = await this.#server.find(base.id);
      // An earlier attempt of this page that nobody answered may have come after all.
      const isOwn = this.#lost.some((sent) => Object.keys(differing(fieldsOf(now), sent)).length === 0);
      if (isOwn) this.post = now;
      else this.#meet(base, now);
      this.standing = this.theirs ? 'changed_elsewhere' : 'unsaved';
      if (!this.theirs) this.written();
    } catch (cause) {
      await this.#fail(asApiError(cause));
    }
  }

  /** Somebody else has written `now`, while this was written on `base`. */
  #meet(base: Post, now: Post): void {
    if (base.version === now.version) return;
    const both = merged(fieldsOf(base), $state.snapshot(this.fields) as Fields, fieldsOf(now));
    if (both) {
      this.post = now;
      Object.assign(this.fields, both);
    } else {
      this.theirs = now;
      this.standing = 'changed_elsewhere';
    }
  }

  #keep(): void {
    if (this.#isDropped) return;
    const fields = $state.snapshot(this.fields) as Fields;
    if (Object.keys(this.changes).length === 0 && !this.#unanswered) return this.#keeping.forget(this.post?.id);
    const { key, fields: sent } = this.#unanswered ?? {};
    this.#keeping.write(this.post?.id, { fields, ...(this.post && { base: this.post }), ...(!this.post && key && { key, sent }) });
  }
}
