import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const kept = vi.hoisted(() => ({ unsaved: [] as string[], sent: 0, forgotten: 0 }));
vi.stubGlobal('window', { addEventListener: () => undefined });
vi.mock('./outbox.svelte', () => ({ unsaved: () => kept.unsaved }));
vi.mock('./waiting', () => ({ sendWaiting: async () => void (kept.sent += 1) }));
vi.mock('./unsent', () => ({ forgetUnsent: () => void (kept.forgotten += 1), unsentWords: () => [] }));
vi.mock('./events.svelte', () => ({
  ...Object.fromEntries(['onBroken', 'onHello', 'onOut', 'onGap', 'onValue', 'openEvents', 'closeEvents'].map((name) => [name, () => undefined])),
  liveLine: () => 'open',
  lastHeard: () => 0,
}));

const { door, knock, signOut } = await import('./house.svelte');
const { losses } = await import('./losses');
const asked: string[] = [];

beforeEach(async () => {
  Object.assign(kept, { unsaved: [], sent: 0, forgotten: 0 });
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return Response.json({ access: 'passphrase', signed_in: true, version: '1' });
  });
  await knock();
  asked.length = 0;
});

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['goes out at once where nothing waits to be saved', [], false, true],
  ['stays where something could not be saved', ['milk'], false, false],
  ['goes out where what could not be saved is given up', ['milk'], true, true],
])('who signs out %s', async (_, unsaved, anyway, gone) => {
  kept.unsaved = unsaved;
  expect(door()).toBe('open');
  expect(await signOut(() => anyway || losses().length === 0)).toBe(gone);
  expect([kept.sent, kept.forgotten, door(), asked]).toEqual([1, gone ? 1 : 0, gone ? 'closed' : 'open', gone ? ['/api/household/sign-out'] : []]);
});
