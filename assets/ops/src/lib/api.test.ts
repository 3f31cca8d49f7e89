import { afterEach, describe, expect, test, vi } from 'vitest';
import { api, ApiError, call, isRefusal, newKey, onSignedOut } from './api';

function answer(status: number, body: string, headers: Record<string, string> = {}): void {
  vi.stubGlobal('fetch', async (request: Request) => {
    const response = new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } });
    Object.defineProperty(response, 'url', { value: request.url });
    return response;
  });
}

async function failure(pending: Promise<unknown>): Promise<ApiError> {
  const cause: unknown = await pending.then(() => undefined, (thrown: unknown) => thrown);
  if (!(cause instanceof ApiError)) throw new Error('an ApiError was expected');
  return cause;
}

const list = () => call(api.GET('/api/todos'));

afterEach(() => {
  vi.unstubAllGlobals();
  onSignedOut(() => undefined);
});

describe('a call', () => {
  test('gives the answer', async () => {
    answer(200, '{"todos":[]}');
    expect(await list()).toEqual({ todos: [] });
  });

  test('sends nothing but Accept and Content-Type', async () => {
    let sent: string[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      sent = [...request.headers.keys()];
      return new Response('{"id":1}', { status: 201, headers: { 'Content-Type': 'application/json' } });
    });
    await call(api.POST('/api/todos', { body: { title: '우유' } }));
    expect(sent.sort()).toEqual(['accept', 'content-type']);
  });

  test('refused with fields throws the code, the status and the fields', async () => {
    answer(422, '{"error":"INVALID_INPUT","message":"title must not be empty","fields":{"title":"must not be empty"},"request_id":"r1"}');
    expect(await failure(list())).toMatchObject({ code: 'INVALID_INPUT', status: 422, message: 'title must not be empty', fields: { title: 'must not be empty' } });
  });

  test('refused for a while says for how long, from the body or the header', async () => {
    answer(429, '{"error":"RATE_LIMITED","message":"slow down","retry_after":30}');
    expect((await failure(list())).retry_after).toBe(30);
    answer(503, '{"error":"NAS_UNAVAILABLE","message":"away"}', { 'Retry-After': '12' });
    expect(await failure(list())).toMatchObject({ code: 'NAS_UNAVAILABLE', retry_after: 12 });
  });

  test('answered by a proxy in HTML is never taken for data', async () => {
    answer(502, '<html>bad gateway</html>', { 'Content-Type': 'text/html' });
    expect((await failure(list())).code).toBe('UNREACHABLE');
    answer(200, '<html>sign in to the network</html>', { 'Content-Type': 'text/html' });
    expect((await failure(list())).code).toBe('UNREADABLE');
  });

  test('is a refusal only when the server says that it did not do it: after anything else nobody knows', async () => {
    for (const [status, refused] of [[401, true], [404, true], [409, true], [422, true], [507, true], [500, false], [502, false], [504, false]] as const) {
      answer(status, '{"error":"SOME","message":"some"}');
      expect(isRefusal(await failure(list())), `${status}`).toBe(refused);
    }
    expect(isRefusal(new TypeError('Failed to fetch'))).toBe(false);
    expect(newKey()).toMatch(/^[0-9a-f]{32}$/);
    expect(newKey()).not.toBe(newKey());
  });

  test('without a network is OFFLINE', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failure(list())).toMatchObject({ code: 'OFFLINE', status: 0 });
  });
});

describe('a 401', () => {
  const refused = '{"error":"UNAUTHORIZED","message":"sign in"}';

  test('leads to the sign-in page', async () => {
    const told = vi.fn();
    onSignedOut(told);
    answer(401, refused);
    expect((await failure(list())).code).toBe('UNAUTHORIZED');
    expect(told).toHaveBeenCalledOnce();
  });

  test('of the sign-in itself does not', async () => {
    const told = vi.fn();
    onSignedOut(told);
    answer(401, refused);
    await failure(call(api.POST('/api/household/sign-in', { body: { passphrase: 'wrong' } })));
    expect(told).not.toHaveBeenCalled();
  });
});
