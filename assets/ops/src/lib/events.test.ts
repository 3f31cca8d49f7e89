import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeEvents, liveLine, onChange, onTask, openEvents } from './events.svelte';

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

  test('tells everybody at each opening since when what they asked for is certain', () => {
    vi.advanceTimersByTime(40);
    const told: number[] = [];
    const asked = performance.now();
    onChange(['todos', 'backups'], (since) => told.push(since));
    newest().dispatchEvent(new Event('open'));
    newest().break();
    vi.advanceTimersByTime(1_000);
    newest().dispatchEvent(new Event('open'));
    expect(told).toEqual([asked - 40, asked + 1_000]);
    // The browser tries again by itself: when, nobody knows.
    newest().dispatchEvent(new Event('error'));
    newest().dispatchEvent(new Event('open'));
    expect(told.at(-1)).toBe(Infinity);
  });

  test('is opened again with growing patience after it broke, and then tells everybody once', () => {
    const told = vi.fn();
    onChange(['todos', 'backups'], told);
    newest().dispatchEvent(new Event('open'));
    expect([liveLine(), told.mock.calls.length]).toEqual(['open', 1]);
    newest().break();
    expect(liveLine()).toBe('lost');
    vi.advanceTimersByTime(1_000);
    expect(Stream.opened.length).toBe(2);
    newest().break();
    vi.advanceTimersByTime(1_000);
    expect(Stream.opened.length).toBe(2);
    vi.advanceTimersByTime(1_000);
    expect(Stream.opened.length).toBe(3);
    newest().dispatchEvent(new Event('open'));
    expect([liveLine(), told.mock.calls.length]).toEqual(['open', 2]);
  });

  test('gives its connection back when nobody has looked for a minute, and comes back with the reader', () => {
    const seen = (state: string) => {
      Object.assign(document, { visibilityState: state });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    seen('hidden');
    vi.advanceTimersByTime(60_000);
    expect(newest().readyState).toBe(Stream.CLOSED);
    seen('visible');
    expect([Stream.opened.length, newest().readyState]).toEqual([2, 0]);
  });
});
