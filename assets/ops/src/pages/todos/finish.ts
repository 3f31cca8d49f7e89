/** Ticks a todo off from Today. */

import { api, call } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import { sentence } from '../../lib/problems';
import type { Resource } from '../../lib/resource.svelte';
import type { Today } from '../../lib/schema';
import { toast, toastProblem } from '../../lib/toasts.svelte';
import type { Todo } from './types';

/** Ticks it off at once; puts it back with the reason, and gives false, when the server refuses. */
export async function finish(todo: Todo, day: Resource<Today>): Promise<boolean> {
  const before = day.data;
  if (!before) return false;
  const { due, due_count, open_count } = before.todos;
  const left = due.filter(({ id }) => id !== todo.id);
  day.set({ ...before, todos: { ...before.todos, due: left, due_count: due_count + left.length - due.length, open_count: open_count - 1 } });
  try {
    await mark(todo, true);
    toast(t('todos.today.done', { title: todo.title }), { label: t('shell.undo'), run: () => void again(todo, day) });
    return true;
  } catch (cause) {
    day.set(before);
    toastProblem(sentence(cause));
    return false;
  }
}

async function again(todo: Todo, day: Resource<Today>): Promise<void> {
  try {
    await mark(todo, false);
    await day.reload();
  } catch (cause) {
    toastProblem(sentence(cause));
  }
}

async function mark({ id }: Todo, done: boolean): Promise<void> {
  await call(api.PUT('/api/todos/{id}', { params: { path: { id } }, body: { done } }));
}
