/** The todos as far as they are wanted: the server lists the open ones first, by the day they are due, then the done ones. */

import { api, call } from '../../lib/api';
import { gather } from '../../lib/gather';
import { todos_list } from '../../bounds/todos';
import type { Todo } from './types';

/** What they are called among all that can be deleted. */
export const KIND = 'todo';

/** What can be changed of one. */
export const FIELDS = ['title', 'note', 'due', 'time', 'remind_before', 'repeat', 'done'] as const satisfies (keyof Todo)[];

export type Todos = {
  todos: Todo[];
  /** How many there are on the server. */
  total: number;
};

/** The list from its beginning, in as many parts as it takes until `isEnough` or until its end. */
export async function loadTodos(isEnough: (todos: Todo[]) => boolean): Promise<Todos> {
  const { entries, total } = await gather<Todo>(Infinity, todos_list.limit.maximum, async (limit, offset) => {
    const { todos, total } = await call(api.GET('/api/todos', { params: { query: { limit, offset } } }));
    return { entries: todos, total };
  }, ({ id }) => id, isEnough);
  return { todos: entries, total };
}

/** One as it stands on the server; undefined when it is gone. */
export async function loadTodo(id: number): Promise<Todo | undefined> {
  const isIt = (todo: Todo) => todo.id === id;
  return (await loadTodos((todos) => todos.some(isIt))).todos.find(isIt);
}

/** Every todo that is not done. */
export async function openTodos(): Promise<Todo[]> {
  const { todos } = await loadTodos(reachesDone);
  return todos.filter(({ done }) => !done);
}

/** Whether the list goes on to the done ones, so that no open one is missing. */
export function reachesDone(todos: Todo[]): boolean {
  return todos.at(-1)?.done === true;
}
