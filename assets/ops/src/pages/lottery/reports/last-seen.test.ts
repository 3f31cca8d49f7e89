import { beforeAll, expect, test } from 'vitest';
import { loadMessages } from '../../../lib/i18n.svelte';
import { lastSeen } from './last-seen';

beforeAll(() => Promise.all([loadMessages('lottery'), loadMessages('reports')]));

test('overdue numbers are told with the draw in which each came up last', () => {
  expect(lastSeen([27, 45, 9], [1224, 1230, null])).toBe('마지막으로 나온 회차: 27번 1224회, 45번 1230회, 9번 없음');
});
