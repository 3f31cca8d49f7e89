/** Ticks a todo off from Today. */

import { api, call } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import { sentence } from '../../lib/problems';
import type { Resource } from '../../lib/resource.svelte';
import type { Today } from '../../lib/schema';
import { toast, toastProblem } from '../../lib/toasts.svelte';
import type { Todo } from './types';

/** Ticks it off at once; puts it back and throws the refusal when there is one. */
export async function finish(todo: Todo, day: Resource<Today>): Promise<void> {
  const without = (before: Today): Today => {
    const { due, due_count, open_count } = before.todos;
    const left = due.filter(({ id }) => id !== todo.id);
    return { ...before, todos: { ...before.todos, due: left, due_count: due_count + left.length - due.length, open_count: open_count - 1 } };
  };
  await day.change(() => mark(todo, true), without, without);
  toast(t('todos.today.done', { title: todo.title }), { label: t('shell.undo'), run: () => void again(todo, day) });
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
