/** The household's todos on this screen: each change shows at once and is put back, with the reason, when it is refused. */

import { api, call, orGone } from '../../lib/api';
import { enqueue, entriesFor, discard, restore, isWaiting, onSaved, problemOf, type OutboxEntry } from '../../lib/outbox.svelte';
import { t } from '../../lib/i18n.svelte';
import { byInstant } from '../../lib/order';
import { isLeaving, removeWithUndo, removeOneWithUndo } from '../../lib/undo';
import { resource } from '../../lib/resource.svelte';
import type { Instant } from '../../lib/schema';
import { toast } from '../../lib/toasts.svelte';
import { todos_list } from '../../bounds/todos';
import { tick } from './finish';
import { FIELDS, KIND, loadTodo, loadTodos, reachesDone, type Todos } from './load';
import type { NewTodo, Todo, TodoChanges } from './types';

/** How many more done ones are asked for at a time. */
const MORE = todos_list.limit.maximum;
const NONE: Todos = { todos: [], total: 0 };
/** What was done until then is hidden, while clearing it can still be taken back, also by who comes back to the page. */
let clearedUntil = $state<Instant>();

export class TodoList {
  /** Done ones that are wanted; the open ones are all there. */
  #wanted = 0;
  readonly loaded = resource(() => loadTodos(this.#isEnough(this.#wanted)), ['todos'], '/api/todos');
  /** Changes that are under way. */
  #unconfirmed = new Set<Promise<unknown>>();
  /** A clearing waits for what the server makes of them. */
  #settling = $state(false);

  /** The todos without what is being cleared. */
  #known: Todos = $derived.by(() => {
    const known = this.loaded.data ?? NONE;
    return clearedUntil === undefined ? known : withoutDoneUntil(clearedUntil, known);
  });

  /** What to show. */
  readonly todos: Todo[] = $derived(this.#known.todos.filter(({ id }) => !isLeaving({ kind: KIND, key: id })));

  /** How many are on the server but not here: done ones, the oldest. */
  readonly rest: number = $derived(Math.max(0, this.#known.total - this.#known.todos.length));

  /** Whether a clearing can still be taken back or is under way; another one waits for its end. */
  readonly clearing: boolean = $derived(this.#settling || clearedUntil !== undefined);

  constructor() {
    // Who comes back finds the list as long as it was.
    this.#wanted = (this.loaded.data?.todos ?? []).filter(({ done }) => done).length;
    $effect(() => onSaved<Todo>('/api/todos', (added) => this.#take(added)));
  }

  /** Loads more of the done ones; throws the failure, after which as many are wanted as before. */
  async loadOn(): Promise<void> {
    const before = this.#wanted;
    this.#wanted = (this.loaded.data?.todos ?? []).filter(({ done }) => done).length + MORE;
    try {
      await this.loaded.ask();
    } catch (cause) {
      this.#wanted = before;
      throw cause;
    }
  }

  /** What was added and is not saved yet, oldest first. */
  readonly unsaved = $derived(entriesFor<NewTodo>('/api/todos'));

  /** Those of them that wait, for somebody or for the server; the others are on their way, and most are saved at once. */
  readonly waiting = $derived(this.unsaved.filter((addition) => isWaiting(addition) || problemOf(addition) !== undefined));

  /** Adds one, which is shown at once and kept until it is saved; throws what is wrong with it, so that the form can have it back. */
  async add(input: NewTodo): Promise<void> {
    await enqueue('/api/todos', input, input.title);
  }

  /** Gives one up that is not saved yet; it can be taken back while the message is shown. */
  drop(addition: OutboxEntry<NewTodo>): void {
    discard(addition);
    toast(t('todos.deleted', { title: addition.body.title }), { label: t('shell.undo'), run: () => void restore(addition) });
  }

  /** Puts in what the server made of one. */
  #take(added: Todo): void {
    void this.loaded.change(() => Promise.resolve(added), ({ todos, total }) => {
      const others = todos.filter(({ id }) => id !== added.id);
      return { todos: [added, ...others], total: total + 1 + others.length - todos.length };
    });
  }

  /** Ticks one off at once, or takes that back; puts it back when it could not be done. */
  async tick(todo: Todo): Promise<void> {
    await tick(todo, !todo.done, async (done) => {
      const changing = this.#put(todo, { done }, (before) => within(todo, before, { done }));
      const ended = changing.catch(() => undefined);
      this.#unconfirmed.add(ended);
      await ended;
      this.#unconfirmed.delete(ended);
      await changing;
    });
  }

  /** Changes one; throws the refusal, so that the form can keep what was typed. */
  async save(todo: Todo, input: TodoChanges): Promise<void> {
    await this.#put(todo, input, (before) => before);
  }

  async #put(todo: Todo, input: TodoChanges, shown: (before: Todos) => Todos): Promise<void> {
    const send = () => call(api.PUT('/api/todos/{id}', { params: { path: { id: todo.id } }, body: input }));
    await this.loaded.change(send, (before, answer) => within(todo, before, answer), shown);
  }

  /** Hides one, and deletes it when the message with "undo" has ended, unless somebody has changed it since. */
  remove(todo: Todo): void {
    const { id, title, repeat, done } = todo;
    removeOneWithUndo({ kind: KIND, key: id }, {
      send: (lasting) => this.loaded.change(() => orGone(call(api.DELETE('/api/todos/{id}', { params: { path: { id } }, ...lasting }))), ({ todos, total }) => {
        const left = todos.filter((other) => other.id !== id);
        return { todos: left, total: total + left.length - todos.length };
      }),
      said: t(repeat && !done ? 'todos.deleted_repeating' : 'todos.deleted', { title }),
      ifUnchanged: { before: todo, fields: FIELDS, on: ['todos'], now: () => loadTodo(id), changed: ({ title }) => t('todos.not_deleted', { title }) },
    });
  }

  /**
   * The same for everything that is done now, loaded or not; what is ticked off while the message is shown stays. When each
   * was done is the server's word, so the changes that are under way are waited for.
   */
  async clear(): Promise<void> {
    if (this.clearing) return;
    const wanted = new Set(this.todos.filter(({ done }) => done).map(({ id }) => id));
    if (this.#unconfirmed.size > 0) {
      this.#settling = true;
      await Promise.all(this.#unconfirmed);
      this.#settling = false;
    }
    const until = newestDone(this.todos.filter(({ id }) => wanted.has(id)));
    if (until === undefined) return;
    const count = this.todos.filter(({ done, done_at }) => done && done_at !== null && byInstant(done_at, until) <= 0).length + this.rest;
    removeWithUndo({
      hide: () => (clearedUntil = until),
      show: () => (clearedUntil = undefined),
      send: (lasting) => this.loaded.change(
        () => call(api.DELETE('/api/todos/done', { params: { query: { until } }, ...lasting })),
        (before) => withoutDoneUntil(until, before),
      ),
      said: t('todos.cleared', { count }),
    });
  }

  #isEnough(wanted: number): (todos: Todo[]) => boolean {
    return (todos) => reachesDone(todos) && todos.filter(({ done }) => done).length >= wanted;
  }
}

/** The list with the changes of one todo. */
function within({ id }: Todo, { todos, total }: Todos, changes: Partial<Todo>): Todos {
  return { todos: todos.map((todo) => (todo.id === id ? { ...todo, ...changes } : todo)), total };
}

/** When the last of those that are done was done; undefined when none is. */
function newestDone(todos: Todo[]): Instant | undefined {
  const instants = todos.flatMap(({ done, done_at }) => (done && done_at !== null ? [done_at] : []));
  return instants.reduce<Instant | undefined>((newest, at) => (newest === undefined || byInstant(at, newest) > 0 ? at : newest), undefined);
}

/** The list without what was done until then. What is not loaded is older than all that is: it goes with the first that goes. */
function withoutDoneUntil(until: Instant, { todos, total }: Todos): Todos {
  const left = todos.filter(({ done, done_at }) => !done || done_at === null || byInstant(done_at, until) > 0);
  return { todos: left, total: left.length < todos.length ? left.length : total };
}
