/** The shapes of the todos. */

import type { Schemas } from '../../lib/schema';

export type Todo = Schemas['todos.Todo'];
export type NewTodo = Schemas['todos.NewTodo'];
/** Fields that change; the others stay. */
export type TodoChanges = Partial<Pick<Todo, keyof Schemas['todos.TodoChanges']>>;
