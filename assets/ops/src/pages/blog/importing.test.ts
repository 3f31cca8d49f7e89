import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api';
import { ownWork } from '../../lib/own-work.svelte';
import { dismiss, toasts } from '../../lib/toasts.svelte';
import { forgetUnsent } from '../../lib/unsent';
import { bring, doing, importing, showImporting, stop } from './importing.svelte';

/** The way of the zip to the house: the test says how much of it is gone and what is answered. */
const way = vi.hoisted(() => ({ times: 0, path: '', told: (_percent: number): void => undefined, take: (_answer: unknown): void => undefined, refuse: (_cause: unknown): void => undefined }));
vi.mock('../../lib/transfer', () => ({
  sendFile: (path: string, _file: Blob, told: (percent: number) => void, signal: AbortSignal) =>
    new Promise((take, refuse) => {
      Object.assign(way, { times: way.times + 1, path, told, take, refuse });
      signal.addEventListener('abort', () => refuse(new ApiError('ABORTED', 0, '')));
    }),
}));
vi.mock('../../lib/i18n.svelte', () => ({ t: (key: string) => key, currentLanguage: () => 'ko', known: () => undefined, loadMessages: async () => undefined }));

const ZIP = [{ name: 'posts.zip', file: new Blob(['zip']) }];
const ANSWER = { added: 1, repeated: 0, pictures: 0, refused: [], refused_count: 0, others: 0, passed_over: [] };

afterEach(() => {
  forgetUnsent();
  toasts().forEach(({ id }) => dismiss(id));
  way.times = 0;
});

/** Brings it, and gives what waits for its end once it is on its way. */
async function begun() {
  const brought = bring(ZIP);
  await vi.waitUntil(() => way.times > 0);
  way.times = 0;
  return { brought };
}

const listed = () => ownWork().map(({ name, percent }) => [name(), percent()]);

describe('posts that come in from files', () => {
  test('are listed with how far they are, and are told wherever somebody is', async () => {
    const { brought } = await begun();
    way.told(40);
    expect([importing.isGoing, listed()]).toEqual([true, [['blog.files.sending', 40]]]);
    way.told(100);
    expect([doing(), importing.percent]).toEqual(['blog.files.reading', null]);
    way.take(ANSWER);
    await brought;
    expect([importing.isGoing, importing.done, listed()]).toEqual([false, ANSWER, []]);
    expect(toasts().map(({ text }) => text)).toEqual(['blog.files.added']);
  });

  test('can be called off, whether they are sent or only packed, and others come after them', async () => {
    const packing = bring(new Promise((resolve) => setTimeout(() => resolve(ZIP), 0)));
    stop();
    expect(importing.isGoing).toBe(false);
    const { brought } = await begun();
    await packing;
    expect([importing.isGoing, listed()]).toEqual([true, [['blog.files.sending', 0]]]);
    ownWork()[0]!.stop();
    await brought;
    expect([importing.isGoing, importing.problem, importing.done, toasts(), listed()]).toEqual([false, undefined, undefined, [], []]);
  });

  test('come in as drafts only where that is asked for', async () => {
    for (const [asDrafts, path] of [[true, '/api/blog/import?drafts=true'], [false, '/api/blog/import']] as const) {
      const brought = bring(ZIP, asDrafts);
      await vi.waitUntil(() => way.times > 0);
      way.times = 0;
      expect(way.path).toBe(path);
      way.take(ANSWER);
      await brought;
    }
  });

  test('say in their window why they could not come', async () => {
    const leave = showImporting();
    const { brought } = await begun();
    way.refuse(new ApiError('SILENT', 0, ''));
    await brought;
    expect([importing.problem?.code, importing.isGoing, toasts()]).toEqual(['SILENT', false, []]);
    leave();
  });
});
