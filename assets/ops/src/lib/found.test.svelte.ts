import { flushSync } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { findOnServer } from './found.svelte';

vi.mock('./i18n.svelte', () => ({ t: (key: string) => key, currentLanguage: () => 'ko', loadMessages: async () => undefined, known: () => undefined }));

let end = () => undefined as void;
afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

const HIT = { kind: 'todo', id: 1, title: '화분', done: true, number: null };

/** A search whose words are typed by `type`, and whose questions wait for `answer`. */
function search() {
  const waiting: ((answer: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => waiting.push(resolve)));
  let query = $state('');
  let found!: ReturnType<typeof findOnServer>;
  end = $effect.root(() => {
    found = findOnServer(() => query, 'todo', 6);
  });
  const type = (words: string) => {
    query = words;
    flushSync();
  };
  const answer = async (response: Response) => {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0), { timeout: 4_000, interval: 5 });
    waiting.shift()!(response);
  };
  return { found, type, answer };
}

const standing = ({ hits, asking, failed }: ReturnType<typeof findOnServer>) => ({ hits: hits.length, asking, failed });

test('a search asks until its answer has come, and again with other words', async () => {
  const { found, type, answer } = search();
  flushSync();
  expect(standing(found)).toEqual({ hits: 0, asking: false, failed: false });
  type('화분');
  expect(standing(found)).toEqual({ hits: 0, asking: true, failed: false });
  await answer(Response.json({ results: [HIT], total: 1, complete: true }));
  await vi.waitFor(() => expect(standing(found)).toEqual({ hits: 1, asking: false, failed: false }), { timeout: 4_000, interval: 5 });
  type('화분에');
  expect(standing(found)).toEqual({ hits: 0, asking: true, failed: false });
  await answer(Response.json({ results: [], total: 0, complete: true }));
  await vi.waitFor(() => expect(standing(found)).toEqual({ hits: 0, asking: false, failed: false }), { timeout: 4_000, interval: 5 });
});

test('a search that could not be asked has failed, and not found nothing', async () => {
  const { found, type, answer } = search();
  type('화분');
  await answer(Response.json({ error: { code: 'INTERNAL', message: 'away' } }, { status: 503 }));
  await vi.waitFor(() => expect(standing(found)).toEqual({ hits: 0, asking: false, failed: true }), { timeout: 4_000, interval: 5 });
  type('');
  expect(standing(found)).toEqual({ hits: 0, asking: false, failed: false });
});
