import { beforeAll, expect, test } from 'vitest';
import { loadMessages } from '../../lib/i18n.svelte';
import { every } from './every';

beforeAll(() => loadMessages('shell'));

test('how often is said in the largest unit that says it exactly', () => {
  expect([1, 60, 90, 720, 1_440, 2_880, 10_080].map(every)).toEqual(['1분마다', '매시간', '90분마다', '12시간마다', '매일', '2일마다', '7일마다']);
});
