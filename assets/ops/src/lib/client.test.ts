import { expect, test } from 'vitest';
import { client } from './client';
import type { paths } from './schema';

/** What a call has sent, and what it gives when this is answered. */
async function sent(ask: (api: ReturnType<typeof client<paths>>) => Promise<unknown>, body = '{}', status = 200) {
  const requests: Request[] = [];
  const api = client<paths>('http://house', async (request) => {
    requests.push(request);
    return new Response(body, { status });
  });
  const given = (await ask(api)) as { data?: unknown; error?: unknown };
  const [request] = requests;
  if (!request) throw new Error('nothing was sent');
  return { request, given };
}

test('a value of the path or the query may hold anything, and what is left open is not sent', async () => {
  const { request } = await sent((api) => api.GET('/api/search', { params: { query: { q: '물 & 빵?', kind: undefined, limit: 6 } } }));
  expect(request.url).toBe(`http://house/api/search?q=${encodeURIComponent('물 & 빵?')}&limit=6`);
  const named = await sent((api) => api.DELETE('/api/system/backups/{name}', { params: { path: { name: 'a/b ?' } } }));
  expect([named.request.method, named.request.url]).toEqual(['DELETE', 'http://house/api/system/backups/a%2Fb%20%3F']);
});

test('a body goes as JSON with the headers that were given, from either place', async () => {
  const asked = await sent((api) => api.POST('/api/todos', { body: { title: '우유' }, headers: { 'Idempotency-Key': 'k1' }, keepalive: true }));
  expect(await asked.request.json()).toEqual({ title: '우유' });
  expect([...asked.request.headers]).toEqual([['accept', 'application/json'], ['content-type', 'application/json'], ['idempotency-key', 'k1']]);
  expect(asked.request.keepalive).toBe(true);
  const report = await sent((api) => api.POST('/api/lotto/report', { params: { header: { 'Idempotency-Key': 'k2' } } }));
  expect([...report.request.headers]).toEqual([['accept', 'application/json'], ['idempotency-key', 'k2']]);
});

test('an answer is data or an error, and an error that is no JSON is its text', async () => {
  const ask = (api: ReturnType<typeof client<paths>>) => api.GET('/api/todos');
  expect((await sent(ask, '{"todos":[]}')).given.data).toEqual({ todos: [] });
  expect((await sent(ask, '')).given.data).toBeUndefined();
  expect((await sent(ask, '{"error":"X"}', 409)).given).toMatchObject({ error: { error: 'X' } });
  expect((await sent(ask, '<html>', 502)).given).toMatchObject({ error: '<html>' });
});
