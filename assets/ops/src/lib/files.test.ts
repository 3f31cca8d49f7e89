import { afterEach, expect, test, vi } from 'vitest';
import { fetchFile } from './files';

const line = vi.hoisted(() => ({ isSilent: false }));
vi.mock('./api', async (actual) => ({ ...(await actual<object>()), isSilent: () => line.isSilent }));

afterEach(() => vi.useRealTimers());

/** For how many seconds a file that never comes is waited for; after `since` nothing is heard of the server. */
async function waitedFor(since: number): Promise<number> {
  vi.useFakeTimers();
  line.isSilent = since === 0;
  let code: string | undefined;
  void fetchFile(() => new Promise<never>(() => undefined)).catch((cause: { code: string }) => (code = cause.code));
  let seconds = 0;
  while (code === undefined && seconds < 60) {
    if (seconds === since) line.isSilent = true;
    await vi.advanceTimersByTimeAsync(1_000);
    seconds += 1;
  }
  expect(code).toBe('SILENT');
  return seconds;
}

test('a file is waited for as long as the server is heard, and hardly where it is not', async () => {
  expect(await waitedFor(60)).toBe(20);
  expect(await waitedFor(0)).toBe(2);
  expect(await waitedFor(7)).toBe(8);
});
