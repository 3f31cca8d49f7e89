import { afterEach, describe, expect, test, vi } from 'vitest';
import { api, ApiError, call, isRefusal, isSilent, newKey, onSignedOut, setLine, untilSilent } from './api';

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

  test('sends nothing but Accept and Content-Type, and what is to be done once a key', async () => {
    const sent: string[][] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      sent.push([...request.headers.keys()].sort());
      return new Response('{"id":1}', { status: 201, headers: { 'Content-Type': 'application/json' } });
    });
    await call(api.POST('/api/todos', { body: { title: '우유' } }));
    await call(api.PUT('/api/todos/{id}', { params: { path: { id: 1 } }, body: { done: true } }));
    await call(api.GET('/api/todos'));
    expect(sent).toEqual([['accept', 'content-type', 'idempotency-key'], ['accept', 'content-type'], ['accept']]);
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

describe('a server that says nothing', () => {
  const add = (title: string) => call(api.POST('/api/todos', { body: { title } }));
  /** Every request waits until its limit; `keys` are those that were sent. */
  function silence(): (string | null)[] {
    const keys: (string | null)[] = [];
    vi.stubGlobal('fetch', (request: Request, { signal }: { signal: AbortSignal }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    });
    return keys;
  }

  afterEach(() => setLine('connecting'));

  test('is not waited for when its events have ended: a read says that it did not come, a change that it may have been done', async () => {
    setLine('open');
    const keys = silence();
    const both = [failure(list()), failure(add('우유'))];
    await vi.waitUntil(() => keys.length === 2);
    setLine('lost');
    expect((await Promise.all(both)).map(({ code }) => code)).toEqual(['SILENT', 'UNANSWERED']);
  });

  test('is waited for longer than it takes by itself on an open line, and for six seconds on one that is not', async () => {
    vi.useFakeTimers();
    // The one that the language has counts by the machine's clock.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      const limit = new AbortController();
      setTimeout(() => limit.abort(new DOMException('too late', 'TimeoutError')), milliseconds);
      return limit.signal;
    });
    try {
      for (const [line, milliseconds] of [['connecting', 6_000], ['open', 40_000]] as const) {
        setLine(line);
        silence();
        const ended = vi.fn();
        const asked = failure(list()).then(ended);
        await vi.advanceTimersByTimeAsync(milliseconds - 1);
        expect(ended, line).not.toHaveBeenCalled();
        await vi.advanceTimersByTimeAsync(1);
        await asked;
        expect(ended.mock.calls[0]?.[0], line).toMatchObject({ code: 'SILENT' });
      }
    } finally {
      vi.useRealTimers();
      vi.restoreAllMocks();
    }
  });

  test('that takes as long as it takes is waited for while anything is heard, and no longer than others after that', async () => {
    vi.useFakeTimers();
    const silent = vi.fn();
    try {
      setLine('open');
      const { heard, end } = untilSilent(silent);
      vi.advanceTimersByTime(600_000);
      setLine('lost');
      heard();
      vi.advanceTimersByTime(6_000);
      expect(silent).not.toHaveBeenCalled();
      vi.advanceTimersByTime(6_000);
      expect(silent).toHaveBeenCalledOnce();
      end();
      vi.advanceTimersByTime(60_000);
      expect(silent).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });

  test('is asked again for the same under the same key, until it answers', async () => {
    setLine('open');
    const keys = silence();
    const tried = [failure(add('우유')), failure(add('달걀'))];
    await vi.waitUntil(() => keys.length === 2);
    setLine('lost');
    await Promise.all(tried);
    const sent: string[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      sent.push(request.headers.get('Idempotency-Key') ?? '');
      return new Response('{"id":1}', { status: 201, headers: { 'Content-Type': 'application/json' } });
    });
    await add('우유');
    await add('우유');
    expect(sent[0]).toBe(keys[0]);
    expect(keys).not.toContain(sent[1]);
  });

  test('behind a proxy that speaks for it leaves unknown whether a change was done; what it says itself does not', async () => {
    answer(504, '<html>', { 'Content-Type': 'text/html' });
    expect(await failure(add('우유'))).toMatchObject({ code: 'UNANSWERED', status: 504 });
    expect(await failure(list())).toMatchObject({ code: 'UNREACHABLE', status: 504 });
    answer(504, '{"error":"UPSTREAM_TIMEOUT","message":"slow"}');
    expect(await failure(add('우유'))).toMatchObject({ code: 'UPSTREAM_TIMEOUT', status: 504 });
  });

  test('is asked for something new when nobody sees any more that it did not answer', async () => {
    const keys: (string | null)[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return new Response('<html>', { status: 504 });
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const minutes of [0, 0.9, 1]) {
      vi.setSystemTime(Date.now() + minutes * 60_000);
      await failure(add('우유'));
    }
    vi.useRealTimers();
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test('which is asked for the same twice at once is asked for two', async () => {
    const keys = silence();
    const tried = [failure(add('우유')), failure(add('우유'))];
    await vi.waitUntil(() => keys.length === 2);
    setLine('open');
    setLine('lost');
    await Promise.all(tried);
    expect(new Set(keys).size).toBe(2);
  });
});

describe('a server is silent', () => {
  afterEach(() => setLine('connecting'));

  test('that was lost on its line, until it is heard on it again, however often it is tried', () => {
    setLine('open');
    setLine('lost');
    setLine('connecting');
    expect(isSilent()).toBe(true);
    setLine('open');
    expect(isSilent()).toBe(false);
  });

  test('that lets a request wait in vain on a line that does not open, until it answers', async () => {
    setLine('open');
    setLine('connecting');
    vi.stubGlobal('fetch', async () => Promise.reject(new DOMException('', 'TimeoutError')));
    expect((await failure(list())).code).toBe('SILENT');
    expect(isSilent()).toBe(true);
    answer(200, '{"todos":[]}');
    await list();
    expect(isSilent()).toBe(false);
  });
});
