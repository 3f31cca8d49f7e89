import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from './api';
import { removeWithUndo } from './undo';
import { dismiss, toasts } from './toasts.svelte';

vi.mock('./i18n.svelte', () => ({ t: (key: string) => key }));

const texts = () => toasts().map(({ text }) => text);
const closeAll = () => toasts().forEach(({ id }) => dismiss(id));

afterEach(closeAll);

/** Something that is deleted by `send`, and whether it is hidden. */
function begin(send: (lasting: RequestInit) => Promise<unknown>): { hidden: boolean } {
  const state = { hidden: false };
  removeWithUndo({ hide: () => (state.hidden = true), show: () => (state.hidden = false), send, said: 'deleted' });
  return state;
}

test('what goes is hidden at once and deleted when its message ends, by a request that outlives the page', async () => {
  const send = vi.fn(async () => undefined);
  const state = begin(send);
  expect([state.hidden, texts(), send.mock.calls.length]).toEqual([true, ['deleted'], 0]);
  closeAll();
  expect(send).toHaveBeenCalledExactlyOnceWith({ keepalive: true });
  await vi.waitUntil(() => !state.hidden);
  expect(texts()).toEqual([]);
});

test('what is taken back is shown again and never deleted', () => {
  const send = vi.fn(async () => undefined);
  const state = begin(send);
  toasts()[0]!.action!.run();
  closeAll();
  expect([state.hidden, send.mock.calls.length]).toEqual([false, 0]);
});

test('what could not be deleted is shown again, with the reason', async () => {
  const state = begin(() => Promise.reject(new ApiError('STORAGE_FULL', 507, '')));
  closeAll();
  await vi.waitUntil(() => !state.hidden);
  expect(texts()).toEqual(['shell.not_removed shell.problem.STORAGE_FULL']);
});
