import { beforeAll, expect, test } from 'vitest';
import { loadMessages } from '../../../lib/i18n.svelte';
import { awayInWords } from './away';

beforeAll(() => Promise.all([loadMessages('lottery'), loadMessages('statistics')]));

test('how long a number has been away names the draw in which it came up last', () => {
  expect(awayInWords({ last_seen: 1224, gap: 21 }, 1245)).toBe('1224회에 마지막으로 나온 후 21회째 나오지 않음');
  expect(awayInWords({ last_seen: 1245, gap: 0 }, 1245)).toBe('1245회에 나옴');
});

test('of the draws since, only those that are known are counted, and that is said', () => {
  expect(awayInWords({ last_seen: 1224, gap: 15 }, 1245)).toBe('1224회에 마지막으로 나온 후 결과를 아는 15회 동안 나오지 않음');
  expect(awayInWords({ last_seen: null, gap: 6 }, 1245)).toBe('결과를 아는 6회 동안 한 번도 나오지 않음');
});
