/** Ticks a todo off, or takes that back, wherever it is shown. */

import { api, asApiError, call } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import { headline, sentence } from '../../lib/problems';
import type { Resource } from '../../lib/resource.svelte';
import type { Today } from '../../lib/schema';
import { toast, toastProblem } from '../../lib/toasts.svelte';
import type { Todo } from './types';

/** Marks it on the server; what is on the screen is whose list it is in. */
export function mark({ id }: Todo, done: boolean): Promise<Todo> {
  return call(api.PUT('/api/todos/{id}', { params: { path: { id } }, body: { done } }));
}

/**
 * Ticks one off, which the message takes back, or takes that back. `put` shows it at once and does it; when it throws, it has
 * put it back, and the message tries it again.
 */
export async function tick(todo: Todo, done: boolean, put: (done: boolean) => Promise<unknown>): Promise<void> {
  const to = (next: boolean) => () => void tick(todo, next, put);
  try {
    await put(done);
  } catch (cause) {
    // The page may have been left since: the message says of what it speaks.
    const said = `${todo.title}: ${headline(cause, t('todos.rolled_back'))} ${sentence(cause)}`.trim();
    toastProblem(said, isWorthTrying(cause) ? { label: t('shell.retry'), run: to(done) } : undefined);
    return;
  }
  if (done) toast(t('todos.done_said', { title: todo.title }), { label: t('shell.undo'), run: to(false) });
}

/** What the day shows of the todos, when one of them is ticked off or that is taken back. */
export async function markOnDay(todo: Todo, done: boolean, day: Resource<Today>): Promise<void> {
  if (done) {
    await day.change(() => mark(todo, true), without, without);
    return;
  }
  await mark(todo, false);
  await day.reload();

  function without(before: Today): Today {
    const { due, due_count, next, open_count } = before.todos;
    const isOther = ({ id }: Todo) => id !== todo.id;
    const left = due.filter(isOther);
    return { ...before, todos: { ...before.todos, due: left, due_count: due_count + left.length - due.length, next: next.filter(isOther), open_count: open_count - 1 } };
  }
}

/** A refusal is the same the next time, unless it was one for now. */
function isWorthTrying(cause: unknown): boolean {
  const { status } = asApiError(cause);
  return status < 400 || status >= 500 || status === 429;
}
