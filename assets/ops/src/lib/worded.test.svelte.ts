import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import { known } from './i18n.svelte';
import { worded } from './worded.svelte';

test('what brings a sentence is shown once its words have come, and no other waits for them', async () => {
  let data = $state<{ failure: string | null }>();
  const shown: unknown[] = [];
  const end = $effect.root(() => {
    const seen = worded(() => data, ({ failure }) => failure !== null);
    $effect(() => void shown.push(seen()?.failure));
  });
  flushSync();
  flushSync(() => (data = { failure: null }));
  expect(shown).toEqual([undefined, null]);
  expect(known('house.check.sound')).toBeUndefined();

  flushSync(() => (data = { failure: 'The lottery operator cannot be reached' }));
  expect(shown.at(-1)).toBeUndefined();
  await vi.waitFor(() => expect(shown.at(-1)).toBe('The lottery operator cannot be reached'));
  expect(known('house.check.sound')).toBeDefined();
  flushSync(() => (data = { failure: 'another' }));
  expect(shown.slice(2)).toEqual([undefined, 'The lottery operator cannot be reached', 'another']);
  end();
});
