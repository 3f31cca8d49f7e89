import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import { known } from './i18n.svelte';
import { withMessages } from './with-messages.svelte';

test('what brings a sentence is shown once its words have come, and no other waits for them', async () => {
  let data = $state.raw<{ failure: string | null; key?: string }>();
  const shown: unknown[] = [];
  const end = $effect.root(() => {
    const seen = withMessages(() => data, ({ key }) => [key ? { message_key: key, params: {} } : null]);
    $effect(() => void shown.push(seen()?.failure));
  });
  flushSync();
  flushSync(() => (data = { failure: null }));
  expect(shown).toEqual([undefined, null]);
  expect(known('house.check.sound')).toBeUndefined();

  flushSync(() => (data = { failure: 'The lottery operator cannot be reached', key: 'house.upstream.not_reached' }));
  expect(shown.at(-1)).toBeUndefined();
  await vi.waitFor(() => expect(shown.at(-1)).toBe('The lottery operator cannot be reached'));
  // The words of nothing else have come.
  expect([known('house.upstream.not_reached') !== undefined, known('house.check.sound')]).toEqual([true, undefined]);
  flushSync(() => (data = { failure: 'another', key: 'house.task.interrupted' }));
  expect(shown.slice(2)).toEqual([undefined, 'The lottery operator cannot be reached', 'another']);
  flushSync(() => (data = { failure: 'of another room', key: 'house.check.sound' }));
  expect(shown.at(-1)).toBeUndefined();
  await vi.waitFor(() => expect(shown.at(-1)).toBe('of another room'));
  expect(known('house.check.sound')).toBeDefined();
  end();
});
