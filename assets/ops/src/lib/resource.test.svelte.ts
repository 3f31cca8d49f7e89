import { flushSync } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import { ApiError } from './api';
import { ago, type Reading } from './device-clocks';
import { joined, Resource, resource } from './resource.svelte';

const stream = vi.hoisted(() => ({ tell: (_since: Reading): void => undefined }));
vi.mock('./events.svelte', () => ({
  onChange: (_on: string[], tell: typeof stream.tell) => {
    stream.tell = tell;
    return () => undefined;
  },
  onValue: () => undefined,
  onGap: () => undefined,
  liveLine: () => 'open',
  lastHeard: () => 0,
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

  test('is asked for again at the opening of the stream when it was asked for before, and not when it was asked for since then', async () => {
    const { load, waiting } = loads();
    const made = new Resource(load);
    made.follow(['jobs']);
    const [before, earlier] = [performance.now(), ago(1)];
    const first = made.reload();
    await vi.waitUntil(() => performance.now() > before);
    stream.tell(earlier);
    expect(waiting.length, 'it is on its way').toBe(1);
    stream.tell(ago(0));
    expect(waiting.length).toBe(2);
    waiting.forEach(({ resolve }, index) => resolve(`${index}`));
    await first;
    await vi.waitUntil(() => !made.loading);
    stream.tell(earlier);
    expect([made.data, waiting.length, made.loading], 'it has come').toEqual(['1', 2, false]);
    await vi.waitUntil(() => performance.now() > before + 1);
    stream.tell(ago(0));
    expect([waiting.length, made.loading]).toEqual([3, true]);
  });

  test('that could not be loaded is asked for again at the opening of the stream, whenever it was asked for', async () => {
    const { load, waiting } = loads();
    const made = new Resource(load);
    made.follow(['jobs']);
    const first = made.reload();
    waiting[0]!.reject(new ApiError('OFFLINE', 0, ''));
    await first;
    stream.tell(ago(60_000));
    expect(waiting.length).toBe(2);
    stream.tell(ago(60_000));
    expect(waiting.length, 'it is on its way').toBe(2);
  });

  /** A change of a list whose answer the test gives. */
  function adding(made: Resource<string>, letter: string) {
    let answer!: { resolve: () => void; reject: (cause: unknown) => void };
    const sent = new Promise<void>((resolve, reject) => (answer = { resolve, reject }));
    const done = made.change(() => sent, (data) => data + letter.toUpperCase(), (data) => data + letter).catch(() => undefined);
    return { ...answer, done };
  }

  async function loaded(data: string) {
    const { load, waiting } = loads();
    const made = new Resource(load);
    made.follow(['jobs']);
    const first = made.reload();
    waiting[0]!.resolve(data);
    await first;
    return { made, waiting };
  }

  test('takes back a change that is refused, and no other', async () => {
    const { made } = await loaded('-');
    const [one, two, three] = ['a', 'b', 'c'].map((letter) => adding(made, letter));
    expect(made.data).toBe('-abc');
    two!.resolve();
    await two!.done;
    expect(made.data).toBe('-Bac');
    one!.reject(new ApiError('STORAGE_FULL', 507, ''));
    await one!.done;
    expect(made.data).toBe('-Bc');
    three!.resolve();
    await three!.done;
    expect(made.data).toBe('-BC');
  });

  test('lays a change over what is answered meanwhile, and asks once for what it heard meanwhile when the change has ended', async () => {
    const { made, waiting } = await loaded('-');
    const change = adding(made, 'a');
    const asked = made.reload();
    waiting[1]!.resolve('+');
    await asked;
    expect(made.data).toBe('+a');
    stream.tell(ago(0));
    stream.tell(ago(0));
    expect(waiting.length).toBe(2);
    change.resolve();
    await change.done;
    expect([made.data, made.loading, waiting.length]).toEqual(['+A', true, 3]);
  });

  test('does not take an answer that a change has overtaken, and asks again', async () => {
    const { made, waiting } = await loaded('-');
    const asked = made.reload();
    const change = adding(made, 'a');
    change.resolve();
    await change.done;
    waiting[1]!.resolve('older');
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect([made.data, waiting.length]).toEqual(['-A', 3]);
    waiting[2]!.resolve('newer');
    await asked;
    expect([made.data, made.loading]).toEqual(['newer', false]);
  });

  test('that could not be loaded is asked for again after a change, so that the change is shown', async () => {
    const { load, waiting } = loads();
    const made = new Resource(load);
    const first = made.reload();
    waiting[0]!.reject(new ApiError('OFFLINE', 0, ''));
    await first;
    const change = adding(made, 'a');
    change.resolve();
    await change.done;
    expect([made.loading, waiting.length]).toEqual([true, 2]);
    waiting[1]!.resolve('-A');
    await vi.waitUntil(() => !made.loading);
    expect([made.data, made.error]).toEqual(['-A', undefined]);
  });

  test('leaves a failure to whoever asked for it', async () => {
    const { made, waiting } = await loaded('-');
    const asked = made.ask();
    waiting[1]!.reject(new ApiError('STORAGE_FULL', 507, ''));
    await expect(asked).rejects.toThrow(ApiError);
    expect([made.data, made.error, made.loading]).toEqual(['-', undefined, false]);
  });

  test('that is joined is asked for only where no page shows it as it is now', async () => {
    const { load, waiting } = loads();
    const ends = [
      $effect.root(() => void resource(load, ['jobs'], '/joined')),
      $effect.root(() => void joined(load, '/joined')),
    ];
    flushSync();
    expect(waiting.length, 'it is on its way').toBe(1);
    waiting[0]!.resolve('one');
    await vi.waitUntil(() => new Resource<string>(load, '/joined').data === 'one');
    ends.push($effect.root(() => void joined(load, '/joined')));
    flushSync();
    expect(waiting.length, 'the page follows it').toBe(1);
    ends.forEach((end) => end());
    const end = $effect.root(() => void joined(load, '/joined'));
    flushSync();
    expect(waiting.length, 'nobody follows it').toBe(2);
    end();
  });

  test('of a component that stays is shown anew also when what was come to since has pushed its answer out', async () => {
    const { load, waiting } = loads();
    let made!: Resource<string>;
    const shown: (string | undefined)[] = [];
    const end = $effect.root(() => {
      made = resource(load, ['jobs'], '/kept');
      $effect(() => void shown.push(made.data));
    });
    flushSync();
    waiting[0]!.resolve('one');
    await vi.waitUntil(() => made.data === 'one');
    for (let other = 0; other < 60; other += 1) new Resource(async () => '', `/other/${other}`).visit();
    stream.tell(ago(0));
    waiting[1]!.resolve('two');
    await vi.waitUntil(() => !made.loading);
    flushSync();
    end();
    expect([...new Set(shown)]).toEqual([undefined, 'one', 'two']);
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
