import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeEvents, liveLine, onHello, openEvents } from './events.svelte';
import { SharedStream, type SharedHearer } from './shared-stream';

/** Stands in for the browser's stream: the test says what arrives. */
class Source extends EventTarget {
  static asked: Source[] = [];
  isClosed = false;

  constructor() {
    super();
    Source.asked.push(this);
  }

  close(): void {
    this.isClosed = true;
  }

  arrive(name: string, data: unknown): void {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data) }));
  }
}

/** Stands in for what the tabs of a browser hear of each other: it comes when the test lets it. */
class Channel extends EventTarget {
  static tabs = new Set<Channel>();
  static underWay: (() => void)[] = [];

  constructor() {
    super();
    Channel.tabs.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of Channel.tabs) if (other !== this) Channel.underWay.push(() => other.dispatchEvent(Object.assign(new Event('message'), { data })));
  }

  close(): void {
    Channel.tabs.delete(this);
  }

  /** What is under way arrives, and what is answered to it. */
  static arrive(): void {
    for (let next = Channel.underWay.shift(); next; next = Channel.underWay.shift()) next();
  }
}

const newest = () => Source.asked.at(-1)!;
const connections = () => Source.asked.filter(({ isClosed }) => !isClosed);

beforeEach(() => {
  vi.useFakeTimers();
  Source.asked = [];
  Channel.tabs.clear();
  Channel.underWay = [];
  vi.stubGlobal('EventSource', Source);
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
});

afterEach(() => {
  closeEvents();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('each connection says which version the server has, to who asks for it, until they stop', () => {
  const versions: string[] = [];
  const end = onHello((version) => versions.push(version));
  openEvents();
  newest().arrive('hello', { version: '1.0.0', quiet_ms: 0 });
  newest().dispatchEvent(new Event('error'));
  vi.advanceTimersByTime(1_000);
  newest().arrive('hello', { version: '1.1.0', quiet_ms: 0 });
  end();
  newest().arrive('hello', { version: '1.2.0', quiet_ms: 0 });
  expect(versions).toEqual(['1.0.0', '1.1.0']);
});

test('a server that takes the call and says nothing is given up after four seconds, and called again', () => {
  openEvents();
  vi.advanceTimersByTime(4_500);
  expect([liveLine(), Source.asked.length, connections().length]).toEqual(['lost', 1, 0]);
  vi.advanceTimersByTime(1_000);
  expect([Source.asked.length, connections().length]).toEqual([2, 1]);
  newest().arrive('hello', { version: '1.0.0', quiet_ms: 0 });
  expect(liveLine()).toBe('open');
});

test('a tab that is opened beside another leaves the connection to it at once', () => {
  const deaf = new Proxy({}, { get: () => () => undefined }) as SharedHearer;
  const first = new SharedStream(deaf);
  const [held] = connections();
  vi.advanceTimersByTime(10);
  const second = new SharedStream(deaf);
  expect(connections().length).toBe(2);
  Channel.arrive();
  expect(connections()).toEqual([held]);
  first.close(false);
  Channel.arrive();
  expect([connections().length, connections()[0] === held]).toEqual([1, false]);
  second.close(false);
});
