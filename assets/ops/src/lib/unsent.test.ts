import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

const shelf = new Map<string, string>();

/** The page as it is when it is loaded anew, with what its tab has kept. */
async function load() {
  vi.resetModules();
  const [{ draft }, unsent, losses, own] = await Promise.all([import('./draft'), import('./unsent'), import('./losses'), import('./own-work.svelte')]);
  return { draft, ...unsent, ...losses, ...own };
}

// The first loading compiles: what a test waits for begins after it.
beforeAll(load, 60_000);

beforeEach(() => {
  shelf.clear();
  vi.stubGlobal('sessionStorage', new Proxy({}, {
    get: (_, name) => ({
      getItem: (key: string) => shelf.get(key) ?? null,
      setItem: (key: string, value: string) => void shelf.set(key, value),
      removeItem: (key: string) => void shelf.delete(key),
    })[name as 'getItem'],
    ownKeys: () => [...shelf.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  }));
});

const line = (draft: typeof import('./draft').draft) => draft('line', { text: '' });

test('what is half typed would be lost, also where its page is not loaded, until it is sent or given up', async () => {
  const first = await load();
  const form = line(first.draft);
  expect(first.losses()).toEqual([]);
  form.value = { text: '우유 사기' };
  expect(first.losses()).toEqual([{ name: '우유 사기' }]);
  const again = await load();
  expect(again.losses()).toEqual([{ name: '우유 사기' }]);
  line(again.draft).value = { text: '' };
  expect(again.losses()).toEqual([]);
});

test('work that is under way would be lost, what has arrived and waits for somebody would not', async () => {
  const { beginOwnWork, losses } = await load();
  let percent: number | null | undefined = 40;
  const end = beginOwnWork({ name: () => '파일 업로드 중', open: '/system/backups', percent: () => percent, stop: () => undefined });
  expect(losses()).toEqual([{ name: '파일 업로드 중' }]);
  percent = null;
  expect(losses()).toHaveLength(1);
  percent = undefined;
  expect(losses()).toEqual([]);
  end();
});

test('who signs out leaves nothing of it in the tab, also of a page that is not loaded', async () => {
  line((await load()).draft).value = { text: '우유 사기' };
  shelf.set('another', 'stays');
  const { forgetUnsent, losses } = await load();
  forgetUnsent();
  expect(losses()).toEqual([]);
  expect([...shelf.keys()]).toEqual(['another']);
});
