/** The household's todos on this screen: each change shows at once and is put back, with the reason, when it is refused. */

import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { api, call } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import { sentence } from '../../lib/problems';
import { resource } from '../../lib/resource.svelte';
import { toastProblem, toastUndo } from '../../lib/toasts.svelte';
import { loadTodos, reachesDone, type Todos } from './load';
import type { NewTodo, Todo, TodoChanges } from './types';

/** How many more done ones are asked for at a time. */
const MORE = 500;
const NONE: Todos = { todos: [], total: 0 };

export class TodoList {
  /** Done ones that are wanted; the open ones are all there. */
  #wanted = $state(0);
  readonly loaded = resource(() => loadTodos(this.#isEnough(this.#wanted)), ['todos']);
  /** Changes that the server has not confirmed yet, over what it last said. */
  #changes = new SvelteMap<number, TodoChanges>();
  /** Hidden while their deletion can still be taken back. */
  #hidden = new SvelteSet<number>();

  /** What to show: the server's todos with the unconfirmed changes. */
  readonly todos: Todo[] = $derived((this.loaded.data?.todos ?? [])
    .filter(({ id }) => !this.#hidden.has(id))
    .map((todo) => ({ ...todo, ...this.#changes.get(todo.id) })));

  /** How many are on the server but not here: done ones, the oldest. */
  readonly rest: number = $derived(this.loaded.data ? Math.max(0, this.loaded.data.total - this.loaded.data.todos.length) : 0);

  /** Asks for more of the done ones. */
  loadOn(): void {
    this.#wanted = (this.loaded.data?.todos ?? []).filter(({ done }) => done).length + MORE;
  }

  /** Adds one; throws the refusal, so that the form can keep the text. */
  async add(input: NewTodo): Promise<void> {
    const added = await call(api.POST('/api/todos', { body: input }));
    const { todos, total } = this.loaded.data ?? NONE;
    const others = todos.filter(({ id }) => id !== added.id);
    this.loaded.set({ todos: [added, ...others], total: total + 1 + others.length - todos.length });
  }

  /** Changes one at once; puts it back when the server refuses. */
  async change(todo: Todo, input: TodoChanges): Promise<void> {
    this.#changes.set(todo.id, { ...this.#changes.get(todo.id), ...input });
    try {
      const changed = await call(api.PUT('/api/todos/{id}', { params: { path: { id: todo.id } }, body: input }));
      const { todos, total } = this.loaded.data ?? NONE;
      this.loaded.set({ todos: todos.map((other) => (other.id === changed.id ? changed : other)), total });
    } catch (cause) {
      toastProblem(`${t('todos.rolled_back')} ${sentence(cause)}`);
    } finally {
      this.#changes.delete(todo.id);
    }
  }

  /** Hides one, and deletes it when the message with "undo" has ended. */
  remove(todo: Todo): void {
    this.#hide([todo], t('todos.deleted', { title: todo.title }), () => this.#delete(todo.id));
  }

  /** The same for everything that is done now; what is ticked off while the message is shown stays. */
  async clear(): Promise<void> {
    try {
      if (this.rest > 0) {
        this.#wanted = Infinity;
        this.loaded.set(await loadTodos(this.#isEnough(Infinity)));
      }
    } catch (cause) {
      toastProblem(sentence(cause));
      return;
    }
    const done = this.todos.filter((todo) => todo.done);
    this.#hide(done, t('todos.cleared', { count: done.length }), async () => {
      const ids = new Set(done.map(({ id }) => id));
      const doneNow = (this.loaded.data?.todos ?? []).filter((todo) => todo.done);
      if (doneNow.every(({ id }) => ids.has(id))) await call(api.DELETE('/api/todos/done', { keepalive: true }));
      else await Promise.all([...ids].map((id) => this.#delete(id)));
    });
  }

  #isEnough(wanted: number): (todos: Todo[]) => boolean {
    return (todos) => reachesDone(todos) && todos.filter(({ done }) => done).length >= wanted;
  }

  #hide(gone: Todo[], said: string, remove: () => Promise<unknown>): void {
    const show = () => gone.forEach(({ id }) => this.#hidden.delete(id));
    gone.forEach(({ id }) => this.#hidden.add(id));
    toastUndo(said, t('shell.undo'), show, () => void (async () => {
      try {
        await remove();
        const ids = new Set(gone.map(({ id }) => id));
        const { todos, total } = this.loaded.data ?? NONE;
        const left = todos.filter(({ id }) => !ids.has(id));
        this.loaded.set({ todos: left, total: total + left.length - todos.length });
      } catch (cause) {
        toastProblem(`${t('todos.rolled_back')} ${sentence(cause)}`);
      } finally {
        show();
      }
    })());
  }

  async #delete(id: number): Promise<void> {
    // Sent to its end even when the page is being left.
    await call(api.DELETE('/api/todos/{id}', { params: { path: { id } }, keepalive: true }));
  }
}
