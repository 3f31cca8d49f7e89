import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../lib/api';
import { forgetUnsent } from '../../lib/unsent';
import { drafts, edit, withDrafts } from './drafts.svelte';
import type { Todo } from './types';

function todo(id: number, over: Partial<Todo> = {}): Todo {
  return { id, title: `${id}`, note: '', due: null, done: false, created_at: '2026-11-01T00:00:00Z', done_at: null, time: null, remind_before: null, remind_at: null, reminded_at: null, reminded_for: null, repeat: null, repeat_day: null, followed_by: null, follows: null, ...over };
}

afterEach(() => forgetUnsent());

/** Begins to change it and types this note. */
function typed(before: Todo, note: string) {
  edit(before);
  drafts.get(before.id)!.note = note;
  return drafts.get(before.id)!;
}

test('what was typed stays whatever becomes of the todo: answered again, moved, done, deleted', () => {
  const draft = typed(todo(1), 'milk');
  edit(todo(1, { note: 'theirs' }));
  expect(drafts.get(1)).toBe(draft);
  for (const now of [[todo(1, { due: '2026-12-01' })], [todo(1, { done: true })], []]) {
    expect(withDrafts([todo(2), ...now])).toEqual([todo(2), todo(1)]);
  }
  expect(draft.note).toBe('milk');
});

test('only what was changed is sent, so that what somebody else has changed meanwhile stays', () => {
  const draft = typed(todo(1, { due: '2026-12-01' }), ' milk ');
  expect(draft.changes).toEqual({ note: 'milk' });
  draft.due = '';
  expect(draft.changes).toEqual({ note: 'milk', due: null });
  draft.note = '';
  draft.due = '2026-12-01';
  expect(draft.changes).toEqual({});
});

test('several are changed side by side, and signing out takes what was typed along', () => {
  typed(todo(1), 'milk');
  typed(todo(2), 'bread');
  expect([...drafts.values()].map(({ note }) => note)).toEqual(['milk', 'bread']);
  forgetUnsent();
  expect(withDrafts([todo(1)])).toEqual([todo(1)]);
  expect(drafts.size).toBe(0);
});

test('what was refused is said until something else stands there or the form is come to anew; that nobody answered, until the next attempt', () => {
  const draft = typed(todo(1), 'milk');
  const refused = new ApiError('INVALID_INPUT', 422, '');
  draft.fail(refused);
  expect(draft.error).toBe(refused);
  draft.note = 'bread';
  expect(draft.error).toBeUndefined();
  draft.note = 'milk';
  draft.refused = 'empty';
  draft.forgive();
  expect([draft.error, draft.refused]).toEqual([undefined, '']);
  const away = new ApiError('OFFLINE', 0, '');
  draft.fail(away);
  draft.note = 'bread';
  expect(draft.error).toBe(away);
});
