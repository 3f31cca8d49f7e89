import { beforeAll, expect, test } from 'vitest';
import { loadMessages } from '../lib/i18n.svelte';
import type { Badge } from '../lib/section';
import type { Today } from '../lib/schema';
import { markOf } from './badges.svelte';

const today = { unread: ['todos'] } as unknown as Today;
const waiting = (count: number): Badge => ({ changes: [], count: () => count, name: 'todos.badge' });

beforeAll(() => loadMessages('shell'));

test('what waits is a number, up to 99, and nothing when there is none', () => {
  expect(markOf({ badge: waiting(7) }, today)).toEqual({ tone: 'count', shown: '7', said: '오늘까지 할 일 7개' });
  expect(markOf({ badge: waiting(240) }, today)?.shown).toBe('99+');
  expect([markOf({ badge: waiting(0) }, today), markOf({ badge: waiting(7) }, undefined)]).toEqual([undefined, undefined]);
});

test('what is wrong goes before what waits', () => {
  expect(markOf({ badge: waiting(7), warning: () => 'system.warning' }, today)?.tone).toBe('bad');
});

test('what cannot be told has no mark', () => {
  const broken = () => {
    throw new Error('broken');
  };
  expect(markOf({ badge: waiting(7), warning: broken }, today)?.shown).toBe('7');
  expect(markOf({ badge: { changes: [], count: ({ todos }) => todos.due_count, name: 'todos.badge' } }, today)).toBeUndefined();
});
