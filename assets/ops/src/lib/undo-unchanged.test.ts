import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isLeaving, removeOneWithUndo } from './undo';
import { dismiss, toasts } from './toasts.svelte';

vi.mock('./i18n.svelte', () => ({ t: (key: string) => key }));
const stream = vi.hoisted(() => ({ tell: (): void => undefined, line: 'open' }));
vi.mock('./events.svelte', () => ({
  onChange: (_on: string[], tell: () => void) => {
    stream.tell = tell;
    return () => (stream.tell = () => undefined);
  },
  liveLine: () => stream.line,
}));

let key = 0;
beforeEach(() => (key += 1));
afterEach(() => {
  closeAll();
  stream.line = 'open';
});

const texts = () => toasts().map(({ text }) => text);
const closeAll = () => toasts().forEach(({ id }) => dismiss(id));
const isHidden = () => isLeaving({ kind: 'note', key });

/** A note that is deleted, with what the server holds of it. */
function begin() {
  const server: { note: { text: string; read: number } | undefined; away: boolean } = { note: { text: 'mine', read: 0 }, away: false };
  const send = vi.fn(async () => undefined);
  removeOneWithUndo({ kind: 'note', key }, {
    send,
    said: 'deleted',
    ifUnchanged: {
      before: { text: 'mine', read: 0 },
      fields: ['text'],
      on: ['settings'],
      now: async () => {
        if (server.away) throw new TypeError('cut off');
        return server.note;
      },
      changed: ({ text }) => `kept: ${text}`,
    },
  });
  return { server, send };
}

test('what somebody else has changed since is shown again and not deleted, and that is said', async () => {
  const { server, send } = begin();
  server.note = { text: 'theirs', read: 0 };
  stream.tell();
  await vi.waitUntil(() => !isHidden());
  expect(texts()).toEqual(['kept: theirs']);
  closeAll();
  expect(send).not.toHaveBeenCalled();
});

test('what is as it was when it was deleted goes, whatever else has changed, also when it is gone already', async () => {
  for (const note of [{ text: 'mine', read: 7 }, undefined]) {
    key += 10;
    const { server, send } = begin();
    server.note = note;
    stream.tell();
    closeAll();
    await vi.waitUntil(() => send.mock.calls.length === 1);
    expect([isHidden(), texts()]).toEqual([true, []]);
  }
});

test('a change that is being looked for when the message ends is waited for', async () => {
  const { server, send } = begin();
  server.note = { text: 'theirs', read: 0 };
  stream.tell();
  closeAll();
  await vi.waitUntil(() => !isHidden());
  expect([texts(), send.mock.calls.length]).toEqual([['kept: theirs'], 0]);
});

test('while nothing is heard, it is asked whether somebody has changed it before it is deleted', async () => {
  stream.line = 'lost';
  const { server, send } = begin();
  server.note = { text: 'theirs', read: 0 };
  closeAll();
  await vi.waitUntil(() => !isHidden());
  expect(send).not.toHaveBeenCalled();
});

test('what cannot be asked for is deleted all the same, and says itself when that is refused', async () => {
  const { server, send } = begin();
  server.away = true;
  stream.tell();
  closeAll();
  await vi.waitUntil(() => send.mock.calls.length === 1);
  expect(isHidden()).toBe(true);
});

test('what was taken back says nothing of what others make of it', async () => {
  const { server, send } = begin();
  const tell = stream.tell;
  toasts()[0]!.action!.run();
  server.note = { text: 'theirs', read: 0 };
  tell();
  await new Promise((resolve) => setTimeout(resolve));
  expect([isHidden(), texts(), send.mock.calls.length]).toEqual([false, [], 0]);
});
