import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ago, isBefore } from './device-clocks';
import { closeEvents, isLost, lastHeard, liveLine, onChange, onGap, onTask, onValue, openEvents } from './events.svelte';

/** Stands in for the browser's stream: the test says what arrives. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Stream[] = [];
  readyState = 0;

  constructor() {
    super();
    Stream.opened.push(this);
  }

  close(): void {
    this.readyState = Stream.CLOSED;
  }

  arrive(name: string, data: unknown): void {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data) }));
  }

  /** Opens: nothing has changed for this long before it. */
  open(quiet_ms = 60_000): void {
    this.dispatchEvent(new Event('open'));
    this.arrive('hello', { version: '1.0.0', quiet_ms });
  }

  break(): void {
    this.readyState = Stream.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
}

const newest = () => Stream.opened.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  Stream.opened = [];
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  openEvents();
});

afterEach(() => {
  closeEvents();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the event stream', () => {
  test('tells a change to those who listen to its subject, until they stop', () => {
    const todos = vi.fn();
    const draws = vi.fn();
    const end = onChange(['todos', 'jobs'], todos);
    onChange('draws', draws);
    newest().arrive('changed', { what: 'todos' });
    newest().arrive('changed', { what: 'jobs' });
    end();
    newest().arrive('changed', { what: 'todos' });
    expect([todos.mock.calls.length, draws.mock.calls.length]).toEqual([2, 0]);
  });

  test('tells everybody when the store itself changed', () => {
    const told = vi.fn();
    onChange('todos', told);
    newest().arrive('changed', { what: 'storage' });
    expect(told).toHaveBeenCalledOnce();
  });

  test('tells each opening also to who follows no subject, until they stop', () => {
    const told = vi.fn();
    const end = onChange([], told);
    newest().open();
    expect(told).toHaveBeenCalledOnce();
    end();
    newest().arrive('changed', { what: 'storage' });
    expect(told).toHaveBeenCalledOnce();
  });

  test('tells every step of a task', () => {
    const steps: number[] = [];
    onTask((task) => steps.push(task.progress));
    newest().arrive('task', { id: 't', progress: 40 });
    expect(steps).toEqual([40]);
  });

  test('survives an event that is not JSON', () => {
    newest().dispatchEvent(Object.assign(new Event('changed'), { data: '<html>' }));
    expect(Stream.opened.length).toBe(1);
  });

  test('tells everybody at each opening when the house last changed: what was asked for before it may be out of date', () => {
    const told: number[] = [];
    onChange(['todos', 'backups'], (since) => told.push(since.steady));
    vi.advanceTimersByTime(300);
    const opened = performance.now();
    newest().open(40);
    newest().break();
    vi.advanceTimersByTime(1_000);
    newest().open(700);
    expect(told).toEqual([opened - 40, opened + 300]);
  });

  test('takes everything for out of date when the server does not say for how long it was quiet', () => {
    const told: number[] = [];
    onChange('todos', (since) => told.push(since.steady));
    newest().arrive('hello', { version: '1.0.0' });
    newest().break();
    vi.advanceTimersByTime(1_000);
    newest().dispatchEvent(Object.assign(new Event('hello'), { data: '<html>' }));
    expect(told).toEqual([performance.now() - 1_000, performance.now()]);
  });

  test('takes what was asked for before the device slept for out of date, though its steady clock stood still meanwhile', () => {
    const stale: boolean[] = [];
    const asked = ago(0);
    onChange('todos', (since) => stale.push(isBefore(asked, since)));
    newest().open(1_000);
    newest().break();
    vi.advanceTimersByTime(1_000);
    // Eight hours pass on the wall alone; something changed an hour after it fell asleep.
    vi.setSystemTime(Date.now() + 8 * 3_600_000);
    newest().open(7 * 3_600_000);
    expect(stale).toEqual([false, true]);
  });

  test('is not open before the server has said hello', () => {
    newest().dispatchEvent(new Event('open'));
    expect(liveLine()).toBe('connecting');
    newest().open();
    expect(liveLine()).toBe('open');
  });

  test('is known to be lost once it broke, until it is heard again, and not while a first word is waited for', () => {
    expect(isLost()).toBe(false);
    newest().open();
    expect(isLost()).toBe(false);
    newest().break();
    expect([liveLine(), isLost()]).toEqual(['connecting', true]);
    vi.advanceTimersByTime(1_000);
    newest().open();
    expect(isLost()).toBe(false);
  });

  test('is opened again with growing patience after it broke, and then tells everybody once', () => {
    const told = vi.fn();
    onChange(['todos', 'backups'], told);
    newest().open();
    expect([liveLine(), told.mock.calls.length]).toEqual(['open', 1]);
    newest().break();
    expect(liveLine()).toBe('connecting');
    vi.advanceTimersByTime(1_000);
    expect(Stream.opened.length).toBe(2);
    newest().break();
    vi.advanceTimersByTime(1_000);
    expect(Stream.opened.length).toBe(2);
    vi.advanceTimersByTime(1_000);
    expect(Stream.opened.length).toBe(3);
    newest().open();
    expect([liveLine(), told.mock.calls.length]).toEqual(['open', 2]);
  });

  test('is lost when nothing is heard for four seconds, and is then asked for anew; a beat is enough to be heard', () => {
    newest().open();
    for (let beat = 0; beat < 4; beat += 1) {
      vi.advanceTimersByTime(2_000);
      newest().arrive('beat', {});
    }
    expect([liveLine(), Stream.opened.length]).toEqual(['open', 1]);
    vi.advanceTimersByTime(4_000);
    expect([liveLine(), Stream.opened.length]).toEqual(['lost', 2]);
    expect(isLost()).toBe(true);
    // The one that hangs is given up, the one that was asked for since has its own time.
    expect(Stream.opened.map(({ readyState }) => readyState)).toEqual([Stream.CLOSED, 0]);
    newest().open();
    expect(liveLine()).toBe('open');
  });

  test('tells, once it is heard again, until when it was heard before', () => {
    newest().open();
    const gaps: number[] = [];
    const end = onGap((until) => gaps.push(until));
    const begin = Date.now();
    vi.advanceTimersByTime(2_000);
    newest().arrive('beat', {});
    vi.advanceTimersByTime(1_000);
    newest().arrive('changed', { what: 'todos' });
    vi.advanceTimersByTime(5_000);
    // While it is lost and asked for anew, nothing is heard of it.
    expect([liveLine(), gaps, lastHeard()]).toEqual(['lost', [], begin + 3_000]);
    newest().open();
    expect([liveLine(), gaps, lastHeard()]).toEqual(['open', [begin + 3_000], begin + 8_000]);
    vi.advanceTimersByTime(1_000);
    newest().break();
    vi.advanceTimersByTime(1_000);
    end();
    newest().open();
    expect(gaps).toEqual([begin + 3_000]);
  });

  test('is asked for anew as soon as the device wakes up', () => {
    newest().open();
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(500);
    expect([liveLine(), Stream.opened.length]).toEqual(['lost', 2]);
  });

  test('may bring the one value that has changed, and tells nobody else', () => {
    const told = vi.fn();
    onChange('todos', told);
    const values: unknown[] = [];
    const end = onValue((key, value) => values.push([key, value]));
    newest().arrive('changed', { what: 'todos', key: '/api/todos/1', value: { id: 1 } });
    end();
    expect([values, told.mock.calls.length]).toEqual([[['/api/todos/1', { id: 1 }]], 0]);
  });

  test('gives its connection back when nobody has looked for a minute, and comes back with the reader', () => {
    const seen = (state: string) => {
      Object.assign(document, { visibilityState: state });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    newest().open();
    seen('hidden');
    for (let beat = 0; beat < 30; beat += 1) {
      expect(newest().readyState).toBe(0);
      newest().arrive('beat', {});
      vi.advanceTimersByTime(2_000);
    }
    expect(newest().readyState).toBe(Stream.CLOSED);
    vi.advanceTimersByTime(60_000);
    seen('visible');
    expect([Stream.opened.length, newest().readyState]).toEqual([2, 0]);
  });
});
