/**
 * What was last seen, kept on this device for reading while the server is away, where the browser can keep the shell, too.
 * It belongs to one session: what another one wrote is never read, also when it was written after that one had ended.
 */

import { whenIdle } from './idle';

export type Seen = {
  /** When it was answered, in milliseconds since 1970. */
  at: number;
  data: unknown;
};

const PREFIX = 'hanok-seen-';
const SESSION = 'hanok.seen';
const MOST = 150;

/** What waits to be written, by its key. */
const waiting = new Map<string, Seen>();
/** One after the other, so that what is newer is never written over. */
let writing = Promise.resolve();

/** The session whose answers are kept; undefined where nothing can be kept, or nobody is known to have come in. */
export function cacheSession(): string | undefined {
  return nameOfSession(false);
}

/** From now on answers are kept, for who has come in. */
export function beginOfflineCache(): void {
  nameOfSession(true);
}

/** Keeps what was answered under a key to a question of this session, when there is time for it. */
export function cacheAnswer(key: string, data: unknown, session: string | undefined): void {
  const name = nameOfSession(false);
  if (name === undefined || name !== session) return;
  if (waiting.size === 0) whenIdle(() => (writing = writing.then(() => write(name)).catch(() => undefined)));
  waiting.set(key, { at: Date.now(), data });
}

/** What was last seen under a key; undefined when nothing was kept. */
export async function cachedAnswer(key: string): Promise<Seen | undefined> {
  const name = nameOfSession(false);
  if (name === undefined) return undefined;
  const answer = await caches.match(addressOf(key), { cacheName: name }).catch(() => undefined);
  return answer && name === nameOfSession(false) ? ((await answer.json()) as Seen) : undefined;
}

/** Forgets all of it, as when a session ends or begins. */
export async function clearOfflineCache(): Promise<void> {
  waiting.clear();
  try {
    localStorage.removeItem(SESSION);
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(PREFIX)).map((name) => caches.delete(name)));
  } catch {
    // Where nothing can be kept nothing was.
  }
}

async function write(name: string): Promise<void> {
  const news = [...waiting];
  waiting.clear();
  const cache = await caches.open(name);
  await Promise.all(news.map(([key, seen]) => cache.put(addressOf(key), Response.json(seen))));
  const all = await cache.keys();
  await Promise.all(all.slice(0, Math.max(0, all.length - MOST)).map((oldest) => cache.delete(oldest)));
  // The session may have ended meanwhile, in whichever tab.
  if (name !== nameOfSession(false)) await caches.delete(name);
}

/** Where this session's is; undefined where nothing can be kept, or `begin` is false and nothing was. */
function nameOfSession(begin: boolean): string | undefined {
  if (!('caches' in globalThis) || !('serviceWorker' in navigator)) return undefined;
  try {
    const known = localStorage.getItem(SESSION);
    if (known !== null || !begin) return known === null ? undefined : PREFIX + known;
    const made = crypto.randomUUID();
    localStorage.setItem(SESSION, made);
    return PREFIX + made;
  } catch {
    return undefined;
  }
}

function addressOf(key: string): string {
  return `/seen?${new URLSearchParams({ key })}`;
}
