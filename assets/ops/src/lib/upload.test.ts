import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { upload } from './upload';

/** A house that takes files in; `breaks` says before which parts the line breaks, and whether the part has come in by then. */
function house(breaks: Record<number, 'before' | 'behind'> = {}) {
  const seen = { parts: 0, ended: 0, bytes: 0 };
  const far = (status: number, body: unknown = undefined) => {
    const headers = { 'Upload-Offset': String(seen.bytes), Location: '/api/uploads/u1' };
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  };
  vi.stubGlobal('fetch', vi.fn(async (path: string, { method = 'GET', headers, body }: RequestInit & { body?: Blob }) => {
    expect((headers as Record<string, string>)['Tus-Resumable']).toBe('1.0.0');
    if (method === 'POST') return far(201, {});
    if (method === 'HEAD') return far(200);
    if (method === 'DELETE') {
      seen.ended += 1;
      return far(204);
    }
    if (method === 'GET') return far(200, { file: 'f'.repeat(64) });
    expect(path).toBe('/api/uploads/u1');
    const broken = breaks[seen.parts];
    seen.parts += 1;
    if (broken === 'before') throw new TypeError('the line broke');
    if (Number((headers as Record<string, string>)['Upload-Offset']) !== seen.bytes) return new Response('{}', { status: 409 });
    seen.bytes += body?.size ?? 0;
    if (broken === 'behind') throw new TypeError('the line broke');
    return far(204);
  }));
  return seen;
}

const FILE = new File([new Uint8Array(2_500_000)], '김장.png');

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

async function sent(signal = new AbortController().signal) {
  const told: number[] = [];
  const sending = upload(FILE, (percent) => told.push(Math.round(percent)), signal).then((name) => ({ name }), (error: { code: string }) => ({ code: error.code }));
  await vi.runAllTimersAsync();
  return { ...(await sending), told };
}

test('a file goes in parts and gets its name', async () => {
  const seen = house();
  expect(await sent()).toEqual({ name: 'f'.repeat(64), told: [42, 84, 100] });
  expect(seen).toEqual({ parts: 3, ended: 0, bytes: 2_500_000 });
});

test('where the line breaks it goes on from what has come in, and nothing comes in twice', async () => {
  const seen = house({ 1: 'before', 2: 'behind' });
  expect(await sent()).toEqual({ name: 'f'.repeat(64), told: [42, 100] });
  expect(seen.bytes).toBe(2_500_000);
});

test('a house that stays away is given up after half a minute, and nothing stays', async () => {
  const seen = house(Object.fromEntries(Array.from({ length: 20 }, (_, part) => [part, 'before' as const])));
  expect(await sent()).toEqual({ code: 'OFFLINE', told: [] });
  expect([seen.parts, seen.ended]).toEqual([7, 1]);
});
