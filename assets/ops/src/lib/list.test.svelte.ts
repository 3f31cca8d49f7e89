import { flushSync } from 'svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './api';
import { List } from './list.svelte';
import { dismiss, toasts } from './toasts.svelte';

vi.mock('./i18n.svelte', () => ({ t: (key: string) => key }));

let kind = 0;
beforeEach(() => (kind += 1));

/** A list of the numbers from 1 to 9, three a page; while it is `away` the server does not answer. */
async function withList(work: (list: List<number>, server: { away: boolean; asked: [number, number][] }) => Promise<void>): Promise<void> {
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const server = { away: false, asked: [] as [number, number][] };
  let list!: List<number>;
  const end = $effect.root(() => {
    list = new List<number>({
      page: 3,
      most: 9,
      ask: async (limit, offset) => {
        server.asked.push([limit, offset]);
        if (server.away) throw new ApiError('OFFLINE', 0, '');
        return { entries: all.slice(offset, offset + limit), total: all.length };
      },
      kind: `number of test ${kind}`,
      key: (entry) => entry,
      on: [],
    });
  });
  flushSync();
  await vi.waitUntil(() => list.loaded.data);
  await work(list, server);
  end();
}

test('a page more is wanted only when it came', async () => {
  await withList(async (list, server) => {
    server.away = true;
    await expect(list.loadOn()).rejects.toThrow(ApiError);
    await expect(list.loadOn()).rejects.toThrow(ApiError);
    server.away = false;
    await list.loaded.reload();
    expect([list.entries, list.goesOn]).toEqual([[1, 2, 3], true]);
    await list.loadOn();
    expect(list.entries).toEqual([1, 2, 3, 4, 5, 6]);
    await list.loadOn();
    expect([list.entries.length, list.goesOn]).toEqual([9, false]);
    expect(server.asked.map(([limit]) => limit)).toEqual([3, 6, 6, 3, 6, 9]);
  });
});

test('what is deleted is hidden at once, counted once it is gone, and back when it is taken back', async () => {
  await withList(async (list) => {
    list.remove(2, async () => undefined, 'deleted');
    expect([list.entries, list.loaded.data?.total]).toEqual([[1, 3], 9]);
    toasts().forEach(({ action }) => action?.run());
    expect(list.entries).toEqual([1, 2, 3]);
    list.remove(2, async () => undefined, 'deleted');
    toasts().forEach(({ id }) => dismiss(id));
    await vi.waitUntil(() => list.loaded.data?.total === 8);
    expect(list.entries).toEqual([1, 3]);
  });
});

test('what was deleted stays hidden where its page is left and opened again, until it is taken back', async () => {
  await withList(async (list) => list.remove(2, async () => undefined, 'deleted'));
  await withList(async (list) => {
    expect(list.entries).toEqual([1, 3]);
    toasts().forEach(({ action }) => action?.run());
    expect(list.entries).toEqual([1, 2, 3]);
    list.remove(3, async () => undefined, 'deleted');
  });
  await withList(async (list) => {
    toasts().forEach(({ id }) => dismiss(id));
    await list.loaded.reload();
    expect(list.entries, 'deleted, while this list has not heard of it').toEqual([1, 2]);
  });
});

test('what somebody else has deleted is gone, and what is refused is back with the reason', async () => {
  await withList(async (list) => {
    list.remove(2, () => Promise.reject(new ApiError('NOT_FOUND', 404, '')), 'deleted');
    toasts().forEach(({ id }) => dismiss(id));
    await vi.waitUntil(() => list.loaded.data?.total === 8);
    expect([list.entries, toasts().length]).toEqual([[1, 3], 0]);
    list.remove(3, () => Promise.reject(new ApiError('STORAGE_FULL', 507, '')), 'deleted');
    expect(list.entries).toEqual([1]);
    toasts().forEach(({ id }) => dismiss(id));
    await vi.waitUntil(() => list.entries.length === 2);
    expect(toasts().map(({ text }) => text)).toEqual(['shell.not_removed shell.problem.STORAGE_FULL']);
    toasts().forEach(({ id }) => dismiss(id));
  });
});
