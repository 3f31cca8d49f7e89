import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Uploads } from './uploads.svelte';

vi.mock('virtual:messages', () => ({ default: {} }));

/** A house that takes files in and holds each part until `next` is called; what it was asked, by method and what was there then. */
function house() {
  const files = new Map<string, { bytes: number; size: number }>();
  const held: (() => void)[] = [];
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', headers, body, signal }: RequestInit & { body?: Blob }) => {
    const of = headers as Record<string, string>;
    const place = method === 'POST' ? `/api/uploads/u${files.size + 1}` : path;
    if (method === 'POST') files.set(place, { bytes: 0, size: Number(of['Upload-Length']) });
    const file = files.get(place)!;
    asked.push(`${method} ${place.slice(-2)} ${file.bytes}`);
    if (method === 'PATCH') {
      await new Promise<void>((resolve, reject) => {
        held.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
      file.bytes += body?.size ?? 0;
    }
    const answer = method === 'GET' ? JSON.stringify({ file: `name of ${place.slice(-2)}` }) : null;
    return new Response(answer, { status: method === 'DELETE' || method === 'PATCH' ? 204 : 200, headers: { 'Upload-Offset': String(file.bytes), Location: place } });
  });
  return { asked, next: async () => { held.splice(0).forEach((go) => go()); await settled(); } };
}

const settled = () => vi.advanceTimersByTimeAsync(1);
const file = (name: string, size = 1_500_000) => new File([new Uint8Array(size)], name);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { origin: 'http://house' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a file that is paused goes on from what has come in, and a file that is called off leaves nothing', async () => {
  const { asked, next } = house();
  const arrived: string[] = [];
  const queue = new Uploads((name, { name: of }) => arrived.push(`${of}: ${name}`));
  queue.add([file('a'), file('b'), file('c', 10)]);
  await settled();
  const [a, b, c] = queue.list as [typeof queue.list[0], typeof queue.list[0], typeof queue.list[0]];
  expect(queue.list.map(({ state }) => state)).toEqual(['sending', 'sending', 'waiting']);

  await next();
  expect(Math.round(a!.percent)).toBe(70);
  queue.pause(a!);
  await settled();
  expect(queue.list.map(({ state }) => state)).toEqual(['paused', 'sending', 'sending']);
  queue.remove(b!);
  await settled();
  await next();
  expect([c!.state, queue.list.length, queue.isGoing]).toEqual(['done', 2, false]);

  queue.resume(a!);
  await settled();
  await next();
  expect([a!.state, a!.percent, arrived]).toEqual(['done', 100, ['c: name of u3', 'a: name of u1']]);
  expect(asked.filter((one) => one.includes('u1'))).toEqual(['POST u1 0', 'PATCH u1 0', 'PATCH u1 1048576', 'HEAD u1 1048576', 'PATCH u1 1048576', 'GET u1 1500000']);
  expect(asked.filter((one) => one.startsWith('DELETE'))).toEqual(['DELETE u2 1048576']);
});

test('what the page makes of a file that is there counts as its failure, and is tried again without sending it anew', async () => {
  const { asked, next } = house();
  let isRefused = true;
  const queue = new Uploads(() => {
    if (isRefused) throw new TypeError('away');
  });
  queue.add([file('a', 10)]);
  await settled();
  await next();
  const [one] = queue.list;
  expect([one!.state, one!.error?.code]).toEqual(['failed', 'OFFLINE']);
  isRefused = false;
  queue.resume(one!);
  await settled();
  expect([one!.state, asked.filter((call) => call.startsWith('PATCH')).length]).toEqual(['done', 1]);
});
