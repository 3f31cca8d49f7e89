import { afterEach, expect, test, vi } from 'vitest';

/** What was loaded and sent when this stands in storage; undefined where a browser has none. */
async function afterSending(stored: string | null | undefined): Promise<{ loaded: number; sent: number }> {
  vi.resetModules();
  const seen = { loaded: 0, sent: 0 };
  if (stored !== undefined) vi.stubGlobal('localStorage', { getItem: () => stored });
  const { sendWaiting, sendWaitingBy } = await import('./waiting');
  await sendWaiting(async () => {
    seen.loaded += 1;
    sendWaitingBy(async () => void (seen.sent += 1));
  });
  return seen;
}

afterEach(() => vi.unstubAllGlobals());

test('what waits from an earlier visit is sent, by what comes for it then and not before', async () => {
  expect(await afterSending('[{"key":"k1"}]')).toEqual({ loaded: 1, sent: 1 });
  for (const nothing of ['[]', null, undefined]) expect(await afterSending(nothing)).toEqual({ loaded: 0, sent: 0 });
});

test('whoever added something here sends it, whatever stands in storage', async () => {
  vi.resetModules();
  const { sendWaiting, sendWaitingBy } = await import('./waiting');
  let sent = 0;
  sendWaitingBy(async () => void (sent += 1));
  await sendWaiting(() => Promise.reject(new Error('they are here already')));
  expect(sent).toBe(1);
});
