import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginOfflineCache, clearOfflineCache, cacheAnswer, cachedAnswer, cacheSession } from './offline-cache';

/** What stands in the device's storage. */
const shelf = new Map<string, string>();
/** Its caches by their names, each with its texts by their addresses. */
const kept = new Map<string, Map<string, string>>();
/** What has been put off until there is time for it. */
let idle: (() => void)[] = [];

const cacheOf = (texts: Map<string, string>) => ({
  put: async (address: string, answer: Response) => {
    // The newest stands last.
    texts.delete(address);
    texts.set(address, await answer.text());
  },
  keys: async () => [...texts.keys()],
  delete: async (address: string) => texts.delete(address),
});

beforeEach(() => {
  shelf.clear();
  kept.clear();
  idle = [];
  vi.stubGlobal('navigator', { serviceWorker: {} });
  vi.stubGlobal('localStorage', { getItem: (name: string) => shelf.get(name) ?? null, setItem: (name: string, text: string) => void shelf.set(name, text), removeItem: (name: string) => void shelf.delete(name) });
  const requestIdleCallback = (work: () => void) => idle.push(work);
  vi.stubGlobal('requestIdleCallback', requestIdleCallback);
  vi.stubGlobal('window', { requestIdleCallback });
  vi.stubGlobal('caches', {
    open: async (name: string) => cacheOf(kept.get(name) ?? kept.set(name, new Map()).get(name)!),
    match: async (address: string, { cacheName }: { cacheName: string }) => {
      const text = kept.get(cacheName)?.get(address);
      return text === undefined ? undefined : new Response(text);
    },
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
  });
});

afterEach(async () => {
  await clearOfflineCache();
  vi.unstubAllGlobals();
});

/** The device has time now. */
const rest = () => idle.splice(0).forEach((work) => work());
const dataOf = async (key: string) => (await cachedAnswer(key))?.data;
const addressesKept = () => [...kept.values()].flatMap((texts) => [...texts.keys()]);

test('what was answered is there later with when it was, and what is newer takes its place', async () => {
  beginOfflineCache();
  const begun = Date.now();
  cacheAnswer('/api/todos', ['우유'], cacheSession());
  rest();
  await vi.waitFor(async () => expect(await dataOf('/api/todos')).toEqual(['우유']));
  expect((await cachedAnswer('/api/todos'))?.at).toBeGreaterThanOrEqual(begun);
  cacheAnswer('/api/todos', ['달걀'], cacheSession());
  rest();
  await vi.waitFor(async () => expect(await dataOf('/api/todos')).toEqual(['달걀']));
  expect(await cachedAnswer('/api/draws')).toBeUndefined();
});

test('nothing is kept before somebody has come in', async () => {
  expect(cacheSession()).toBeUndefined();
  cacheAnswer('/api/todos', ['우유'], undefined);
  expect([shelf.size, idle.length, await cachedAnswer('/api/todos')]).toEqual([0, 0, undefined]);
});

test('a session that goes on keeps its name, and the next one has another', async () => {
  beginOfflineCache();
  const session = cacheSession();
  beginOfflineCache();
  expect([cacheSession(), session]).toEqual([session, expect.stringMatching(/^hanok-seen-[0-9a-f-]{36}$/)]);
  await clearOfflineCache();
  expect(cacheSession()).toBeUndefined();
  beginOfflineCache();
  expect(cacheSession()).not.toBe(session);
});

test('what ends with a session is all of it, also what was not written yet and what others have left', async () => {
  beginOfflineCache();
  const session = cacheSession();
  cacheAnswer('/api/todos', ['우유'], session);
  rest();
  await vi.waitFor(() => expect(addressesKept().length).toBe(1));
  kept.set('hanok-seen-of-long-ago', new Map([['/seen?key=old', '{}']]));
  kept.set('hanok-shell', new Map([['/', '<html>']]));
  cacheAnswer('/api/draws', [1], session);
  await clearOfflineCache();
  beginOfflineCache();
  rest();
  await vi.waitFor(() => expect([...kept.keys()].filter((name) => name !== cacheSession())).toEqual(['hanok-shell']));
  expect([await cachedAnswer('/api/todos'), await cachedAnswer('/api/draws')]).toEqual([undefined, undefined]);
});

test('what is answered to a question of an earlier session is not kept', async () => {
  beginOfflineCache();
  const earlier = cacheSession();
  await clearOfflineCache();
  beginOfflineCache();
  cacheAnswer('/api/todos', ['우유'], earlier);
  expect([idle.length, await cachedAnswer('/api/todos')]).toEqual([0, undefined]);
});

test('what is written for a session that another tab has ended meanwhile is taken away again', async () => {
  beginOfflineCache();
  const deleted = vi.spyOn(caches, 'delete');
  const session = cacheSession();
  cacheAnswer('/api/todos', ['우유'], session);
  shelf.clear();
  rest();
  await vi.waitFor(() => expect(deleted).toHaveBeenCalledWith(session));
  expect(kept.size).toBe(0);
});

test('of many answers the newest hundred and fifty are kept', async () => {
  beginOfflineCache();
  for (let number = 1; number <= 152; number += 1) cacheAnswer(`/api/todos/${number}`, number, cacheSession());
  rest();
  await vi.waitFor(() => expect(addressesKept().length).toBe(150));
  expect([await dataOf('/api/todos/2'), await dataOf('/api/todos/3'), await dataOf('/api/todos/152')]).toEqual([undefined, 3, 152]);
});

test.each([
  ['has no service worker', () => vi.stubGlobal('navigator', {})],
  ['gives no storage', () => vi.stubGlobal('localStorage', { getItem: () => { throw new DOMException('no', 'SecurityError'); } })],
])('where the browser %s nothing is kept and nothing fails', async (_, deny) => {
  deny();
  beginOfflineCache();
  cacheAnswer('/api/todos', ['우유'], cacheSession());
  await clearOfflineCache();
  expect([cacheSession(), await cachedAnswer('/api/todos'), idle.length]).toEqual([undefined, undefined, 0]);
});
