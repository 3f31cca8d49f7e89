import { flushSync } from 'svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Answer, forgetAnswers, seenAt } from './answer.svelte';
import { ApiError } from './api';
import { ago, type Reading } from './device-clocks';
import type { Subject } from './events.svelte';
import { resource, type Resource } from './resource.svelte';

const events = vi.hoisted(() => ({ value: (_key: string, _value: unknown): void => undefined, changed: new Set<(since: Reading) => void>(), missed: (_until: number): void => undefined }));
/** When the server was heard, and how the line is. */
const line = $state({ heard: 0, now: 'open' });
vi.mock('./events.svelte', () => ({
  onValue: (tell: typeof events.value) => (events.value = tell),
  onGap: (tell: typeof events.missed) => (events.missed = tell),
  liveLine: () => line.now,
  lastHeard: () => line.heard,
  onChange: (_on: string[], tell: (since: Reading) => void) => {
    events.changed.add(tell);
    return () => events.changed.delete(tell);
  },
}));
/** What this device has kept. */
const seen = vi.hoisted(() => ({ last: undefined as { at: number; data: unknown } | undefined }));
vi.mock('./offline-cache', async (actual) => ({ ...(await actual<object>()), cachedAnswer: async () => seen.last }));

afterEach(() => {
  forgetAnswers();
  seen.last = undefined;
  Object.assign(line, { heard: 0, now: 'open' });
  vi.useRealTimers();
});

/** A server that counts what it is asked and answers when the test says so. */
function server() {
  const waiting: { resolve: (value: string) => void; reject: (cause: unknown) => void }[] = [];
  const load = () => new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }));
  return { load, waiting };
}

/** A component that shows what is at this address; `end` takes it away. */
function shown(load: () => Promise<string>, key: string | (() => string), on: Subject[] = ['jobs']): { made: Resource<string>; seen: () => string | undefined; end: () => void } {
  let made!: Resource<string>;
  let seen: string | undefined;
  const end = $effect.root(() => {
    made = resource(load, on, key);
    $effect.pre(() => {
      seen = made.data;
    });
  });
  flushSync();
  return { made, seen: () => (flushSync(), seen), end };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

test('two who show the same ask once, and again once when it changes', async () => {
  const { load, waiting } = server();
  const [one, two] = [shown(load, '/a'), shown(load, '/a')];
  expect(waiting.length).toBe(1);
  waiting[0]!.resolve('first');
  await turn();
  expect([one.seen(), two.seen()]).toEqual(['first', 'first']);
  const since = ago(0);
  events.changed.forEach((tell) => tell(since));
  expect(waiting.length).toBe(2);
  waiting[1]!.resolve('second');
  await turn();
  expect([one.seen(), two.seen()]).toEqual(['second', 'second']);
  one.end();
  two.end();
});

test('who comes back sees at once what was seen, while it is asked for again', async () => {
  const { load, waiting } = server();
  const before = shown(load, '/a');
  waiting[0]!.resolve('first');
  await turn();
  before.end();
  const after = shown(load, '/a');
  expect([after.seen(), after.made.loading, waiting.length]).toEqual(['first', true, 2]);
  waiting[1]!.resolve('second');
  await turn();
  expect(after.seen()).toBe('second');
  after.end();
});

test('who comes back after a failure does not see it again while it is asked for', async () => {
  const { load, waiting } = server();
  const before = shown(load, '/a');
  waiting[0]!.reject(new ApiError('OFFLINE', 0, ''));
  await turn();
  expect(before.made.error?.code).toBe('OFFLINE');
  before.end();
  const after = shown(load, '/a');
  expect([after.made.error, after.made.waiting]).toEqual([undefined, true]);
  after.end();
});

test('another address shows what was there before until its own answer has come, and what was seen there at once', async () => {
  const { load, waiting } = server();
  let page = $state(1);
  const { seen, made, end } = shown(load, () => `/a?page=${page}`);
  waiting[0]!.resolve('one');
  await turn();
  page = 2;
  expect([seen(), made.loading]).toEqual(['one', true]);
  waiting[1]!.resolve('two');
  await turn();
  expect(seen()).toBe('two');
  page = 1;
  expect(seen()).toBe('one');
  end();
});

test('an event brings a new value to who shows its address, and asks for nothing', async () => {
  const { load, waiting } = server();
  const [one, other] = [shown(load, '/a'), shown(load, '/b')];
  waiting.forEach(({ resolve }, index) => resolve(`${index}`));
  await turn();
  events.value('/a', 'brought');
  expect([one.seen(), other.seen(), waiting.length]).toEqual(['brought', '1', 2]);
  one.end();
  other.end();
});

test('nothing is left of it for whoever comes after it was forgotten', async () => {
  const { load, waiting } = server();
  const before = shown(load, '/a');
  waiting[0]!.resolve('of the first');
  await turn();
  before.end();
  forgetAnswers();
  const after = shown(load, '/a');
  expect([after.seen(), after.made.waiting]).toEqual([undefined, true]);
  after.end();
});

describe('as of when what is shown is right', () => {
  /** The clock of the page, and what is heard of the server at it. */
  const at = (time: string, now = 'open') => {
    vi.setSystemTime(new Date(`2026-11-20T${time}+09:00`));
    if (now === 'open') line.heard = Date.now();
    line.now = now;
    flushSync();
  };
  const seen = () => new Date((seenAt() ?? 0) + 9 * 3_600_000).toISOString().slice(11, 19);
  const heard = async (waiting: ReturnType<typeof server>['waiting']) => {
    waiting.pop()!.resolve('it');
    await turn();
  };
  const away = async (waiting: ReturnType<typeof server>['waiting']) => {
    waiting.pop()!.reject(new ApiError('OFFLINE', 0, ''));
    await turn();
  };

  test('is until when the server was heard, where every change of it was heard of', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { load, waiting } = server();
    at('15:30:00');
    const one = shown(load, '/a');
    await heard(waiting);
    expect(seenAt()).toBeUndefined();
    at('15:39:12');
    at('15:40:00', 'lost');
    expect(seen()).toBe('15:39:12');
    one.end();
  });

  test('is until when the server was heard as long as one of those who show it still follows', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { load, waiting } = server();
    at('15:30:00');
    const [one, other] = [shown(load, '/a'), shown(load, '/a')];
    await heard(waiting);
    one.end();
    at('15:39:12');
    at('15:40:00', 'lost');
    expect(seen()).toBe('15:39:12');
    other.end();
  });

  test('is when its page was left, where changes after it were not heard of', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [todos, system] = [server(), server()];
    at('15:30:00');
    const before = shown(todos.load, '/todos');
    await heard(todos.waiting);
    at('15:38:00');
    before.end();
    const other = shown(system.load, '/system');
    await heard(system.waiting);
    at('15:39:12');
    at('15:40:00', 'lost');
    expect(seen()).toBe('15:39:12');
    other.end();
    const again = shown(todos.load, '/todos');
    await away(todos.waiting);
    expect([again.seen(), seen()]).toEqual(['it', '15:38:00']);
    again.end();
  });

  test('is when it was left also for who comes to it without following any change', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { load, waiting } = server();
    at('15:30:00');
    const before = shown(load, '/a');
    await heard(waiting);
    at('15:38:00');
    before.end();
    at('15:39:12');
    at('15:40:00', 'lost');
    const again = shown(load, '/a', []);
    await away(waiting);
    expect(seen()).toBe('15:38:00');
    again.end();
  });

  test('is not that of a page which is not shown any more', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [todos, system] = [server(), server()];
    at('15:30:00');
    const before = shown(todos.load, '/todos');
    await heard(todos.waiting);
    before.end();
    at('15:42:00');
    const page = shown(system.load, '/system');
    await heard(system.waiting);
    at('15:44:00');
    at('15:45:00', 'lost');
    expect(seen()).toBe('15:44:00');
    page.end();
  });

  test('is before a silence for what could not be asked for again after it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { load, waiting } = server();
    at('15:30:00');
    const page = shown(load, '/a');
    await heard(waiting);
    at('15:40:00', 'lost');
    events.missed(line.heard);
    at('15:45:00');
    events.changed.forEach((tell) => tell(ago(-1)));
    await away(waiting);
    at('15:46:00', 'lost');
    expect(seen()).toBe('15:30:00');
    page.end();
  });

  test('is until when each subject was followed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { load, waiting } = server();
    at('15:30:00');
    const jobs = shown(load, '/a');
    await heard(waiting);
    at('15:35:00');
    at('15:40:00', 'lost');
    expect(seen()).toBe('15:35:00');
    const backups = shown(load, '/a', ['backups']);
    await away(waiting);
    expect(seen()).toBe('15:30:00');
    backups.end();
    jobs.end();
  });
});

test('while the server is heard otherwise, a question that was not answered is a failure, and what is known is not marked', async () => {
  const { load, waiting } = server();
  const { made, seen, end } = shown(load, '/heard');
  waiting[0]!.resolve('known');
  await turn();
  void made.reload();
  waiting[1]!.reject(new ApiError('SILENT', 0, ''));
  await turn();
  flushSync();
  expect([made.error?.code, seen(), made.answer.isRecalled, waiting.length]).toEqual(['SILENT', 'known', false, 2]);
  end();
});

test('what nobody shares and nobody has seen is a failure while the server is away', async () => {
  const answer = new Answer<string>();
  line.now = 'connecting';
  await answer.reload(() => Promise.reject(new ApiError('OFFLINE', 0, '')));
  expect([answer.error?.code, answer.isRecalled]).toEqual(['OFFLINE', false]);
});

test('what is known stays, marked, when the server is away; that it is away is said once, for all of it', async () => {
  const { load, waiting } = server();
  const { made, seen, end } = shown(load, '/away');
  line.heard = 5_000;
  waiting[0]!.resolve('known');
  await turn();
  expect(seen()).toBe('known');
  line.now = 'connecting';
  flushSync();
  void made.reload();
  waiting[1]!.reject(new ApiError('OFFLINE', 0, ''));
  await turn();
  expect([made.error, seen(), seenAt() !== undefined]).toEqual([undefined, 'known', true]);
  // It is asked for again as soon as the server is heard.
  line.now = 'open';
  flushSync();
  expect(waiting.length).toBe(3);
  waiting[2]!.resolve('new');
  await turn();
  expect([seen(), seenAt()]).toEqual(['new', undefined]);
  end();
});

test('what nobody has asked for on this page is there as it was last seen, before a silent server could answer', async () => {
  const { load, waiting } = server();
  seen.last = { at: 1_000, data: 'seen' };
  line.now = 'lost';
  const { made, seen: now, end } = shown(load, '/silent');
  await turn();
  expect([now(), made.answer.isRecalled, seenAt(), waiting.length]).toEqual(['seen', true, 1_000, 1]);
  line.now = 'open';
  waiting[0]!.resolve('new');
  await turn();
  expect([now(), made.answer.isRecalled]).toEqual(['new', false]);
  end();
});
