import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import { shortcut, whenKeyPressed } from './shortcuts.svelte';

vi.stubGlobal('HTMLElement', class {});
vi.stubGlobal('document', { querySelector: () => null });

const press = (key: string) => whenKeyPressed({ key, code: `Key${key.toUpperCase()}`, timeStamp: performance.now(), target: null, preventDefault: () => undefined } as unknown as KeyboardEvent);

/** Adds a shortcut as a component does; gives the end of it, and what ran. */
function added(keys: string) {
  const ran: string[] = [];
  const end = $effect.root(() => shortcut({ keys, label: () => keys, run: () => ran.push(keys) }));
  flushSync();
  return { ran, end };
}

test('a key that is pressed just before what it does is here does it once it is, and one that was used does nothing more', async () => {
  press('n');
  const [first, other] = [added('n'), added('m')];
  await Promise.resolve();
  expect([first.ran, other.ran]).toEqual([['n'], []]);
  const again = added('n');
  await Promise.resolve();
  expect(again.ran).toEqual([]);
  press('n');
  expect(again.ran).toEqual(['n']);
  [first, other, again].forEach(({ end }) => end());
});
