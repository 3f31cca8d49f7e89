import { expect, test } from 'vitest';
import { fill } from '../../../lib/i18n.svelte';
import said from '../messages/said.en.json';

test('what was written down from a file has its name', () => {
  expect([1, 3].map((added) => fill(said['imported'], { added }))).toEqual(['1 purchase written down.', '3 purchases written down.']);
});
