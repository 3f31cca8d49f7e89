import { expect, test } from 'vitest';
import { inLanguage } from '../../../lib/catalogue';
import { fill } from '../../../lib/i18n.svelte';
import all from '../messages.json';

test('what was written down from a file has its name', () => {
  expect([1, 3].map((added) => fill(inLanguage(all.said, 'en')['imported'], { added }))).toEqual(['1 purchase added.', '3 purchases added.']);
});
