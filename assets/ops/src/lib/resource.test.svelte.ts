import { flushSync } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import { ApiError } from './api';
import { Resource, resource } from './resource.svelte';

const stream = vi.hoisted(() => ({ tell: (_since: number): void => undefined }));
vi.mock('./events.svelte', () => ({
  onChange: (_on: string[], tell: typeof stream.tell) => {
    stream.tell = tell;
    return () => undefined;
  },
}));

/** A load whose answers the test gives, in the order it likes. */
function loads() {
  const waiting: { resolve: (value: string) => void; reject: (cause: unknown) => void }[] = [];
  const load = () => new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }));
  return { load, waiting };
}

describe('a resource', () => {
  test('waits, then has data', async () => {
    const { load, waiting } = loads();
    const made = new Resource(load);
    expect(made.waiting).toBe(true);
    const done = made.reload();
    expect(made.loading).toBe(true);
    waiting[0]!.resolve('one');
    await done;
    expect({ data: made.data, loading: made.loading, waiting: made.waiting }).toEqual({ data: 'one', loading: false, waiting: false });
  });

  test('keeps its data when a later attempt fails, and forgets the failure when one succeeds', async () => {
    const { load, waiting } = loads();
    const made = new Resource(load);
    const first = made.reload();
    waiting[0]!.resolve('one');
    await first;
    const second = made.reload();
    waiting[1]!.reject(new ApiError('STORAGE_FULL', 507, ''));
    await second;
    expect({ data: made.data, code: made.error?.code }).toEqual({ data: 'one', code: 'STORAGE_FULL' });
    const third = made.reload();
    waiting[2]!.resolve('three');
    await third;
    expect({ data: made.data, error: made.error }).toEqual({ data: 'three', error: undefined });
  });

  test('takes only the answer to the last question', async () => {
    const { load, waiting } = loads();
    const made = new Resource(load);
    const both = [made.reload(), made.reload()];
    waiting[1]!.resolve('new');
    waiting[0]!.resolve('old');
    await Promise.all(both);
    expect(made.data).toBe('new');
  });

  test('shows an optimistic change over an answer that is still under way', async () => {
    const { load, waiting } = loads();
    const made = new Resource(load);
    const asked = made.reload();
    made.set('mine');
    waiting[0]!.resolve('theirs');
    await asked;
    expect({ data: made.data, loading: made.loading }).toEqual({ data: 'mine', loading: false });
  });

  test('is asked for again at the opening of the stream when it was loaded before, and not when it was asked for since then and is on its way', async () => {
    const { load, waiting } = loads();
    const made = new Resource(load);
    made.follow(['jobs']);
    const before = performance.now();
    const first = made.reload();
    await vi.waitUntil(() => performance.now() > before);
    stream.tell(before - 1);
    expect(waiting.length).toBe(1);
    stream.tell(performance.now());
    expect(waiting.length).toBe(2);
    waiting.forEach(({ resolve }, index) => resolve(`${index}`));
    await first;
    await vi.waitUntil(() => !made.loading);
    stream.tell(before - 1);
    expect([made.data, waiting.length, made.loading]).toEqual(['1', 3, true]);
  });

  test('of a component asks again when what it reads changes, and not after the component is gone', () => {
    let page = $state(1);
    const asked: number[] = [];
    const end = $effect.root(() => {
      resource(async () => asked.push(page));
    });
    flushSync();
    page = 2;
    flushSync();
    end();
    page = 3;
    flushSync();
    expect(asked).toEqual([1, 2]);
  });
});
