/** Todos that are being changed: what was typed outlives every new answer, the row and the page, until it is saved or given up. */

import { SvelteMap } from 'svelte/reactivity';
import { asApiError } from '../../lib/api';
import type { Day } from '../../lib/schema';
import { draft } from '../../lib/draft';
import { forgetAtSignOut } from '../../lib/unsent';
import type { NewTodo, Repeat, NewRepeat, Todo, TodoChanges } from './types';

/** What can be said about the time of a todo. */
export type When = { due: Day | ''; time: string; remind: number | undefined; repeat: NewRepeat | Repeat | undefined };

function whenOf({ due, time, remind_before, repeat }: Todo): When {
  return { due: due ?? '', time: time ?? '', remind: remind_before ?? undefined, repeat: repeat ?? undefined };
}

export class Draft {
  /** The todo as it was when the change began. */
  readonly todo: Todo;
  title = $state('');
  when = $state<When>({ due: '', time: '', remind: undefined, repeat: undefined });
  note = $state('');
  /** Why the title cannot be kept. */
  refused = $state('');
  /** Why the last attempt to save it failed, and what was sent then. */
  #failure = $state.raw<{ cause: unknown; sent: string }>();
  saving = $state(false);
  /** Whether the cursor has been put into it. */
  begun = false;

  constructor(todo: Todo) {
    this.todo = todo;
    ({ title: this.title, note: this.note } = todo);
    this.when = whenOf(todo);
  }

  /** Why the last attempt to save it failed; what was refused is no longer so once something else stands there. Reactive. */
  get error(): unknown {
    if (!this.#failure) return undefined;
    const { cause, sent } = this.#failure;
    const { status } = asApiError(cause);
    return status >= 400 && status < 500 && sent !== JSON.stringify(this.typed) ? undefined : cause;
  }

  /** It could not be saved as it stands there. */
  fail(cause: unknown): void {
    this.#failure = { cause, sent: JSON.stringify(this.typed) };
  }

  /** What was said of the last attempt is said no more: another one begins, or somebody comes to the form anew. */
  forgive(): void {
    this.refused = '';
    this.#failure = undefined;
  }

  /** Its day, or nothing. */
  get due(): Day | '' {
    return this.when.due;
  }

  set due(day: Day | '') {
    this.when.due = day;
  }

  /** What was typed, as the server takes it. */
  get typed(): Required<Pick<NewTodo, 'title' | 'note' | 'due' | 'time' | 'remind_before' | 'repeat'>> {
    const { due, time, remind, repeat } = this.when;
    return { title: this.title.trim(), note: this.note.trim(), due: due || null, time: time || null, remind_before: remind ?? null, repeat: repeat ? $state.snapshot(repeat) : null };
  }

  /** The fields that were changed: what somebody else makes of the others meanwhile stays. */
  get changes(): TodoChanges {
    const before: Record<string, unknown> = this.todo;
    const differ = Object.entries(this.typed).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field] ?? null));
    return Object.fromEntries(differ);
  }
}

/** By the id of the todo. */
export const drafts = new SvelteMap<number, Draft>();
forgetAtSignOut(() => drafts.clear());

/** As they outlive a page that is loaded anew. */
type Kept = Pick<Draft, 'todo' | 'title' | 'when' | 'note'>;
const kept = draft<{ drafts: Kept[] }>('todo-drafts', { drafts: [] }, ({ drafts }) => drafts.filter(isChanged).map(({ todo, title }) => title.trim() || todo.title));
for (const { todo, ...typed } of kept.value.drafts) drafts.set(todo.id, Object.assign(new Draft(todo), typed, { begun: true }));
$effect.root(() => {
  $effect(() => {
    kept.value = { drafts: [...drafts.values()].map(({ todo, title, when, note }) => $state.snapshot({ todo, title, when, note })) };
  });
});

/** Begins to change a todo, or goes on with it. */
export function edit(todo: Todo): void {
  if (!drafts.has(todo.id)) drafts.set(todo.id, new Draft(todo));
}

/** The todos, with each that is being changed as it was when that began: its form stays where it is, also when the todo is gone. */
export function withDrafts(todos: Todo[]): Todo[] {
  if (drafts.size === 0) return todos;
  return [...todos.filter(({ id }) => !drafts.has(id)), ...[...drafts.values()].map(({ todo }) => todo)];
}

function isChanged({ todo, title, when, note }: Kept): boolean {
  return title !== todo.title || note !== todo.note || JSON.stringify(when) !== JSON.stringify(whenOf(todo));
}
