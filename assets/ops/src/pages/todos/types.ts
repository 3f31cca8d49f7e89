/** The shapes of the todos. */

import type { Schemas } from '../../lib/schema';

export type Todo = Schemas['todos.Todo'];
export type NewTodo = Schemas['todos.NewTodo'];
/** Fields that change; the others stay. */
export type TodoChanges = Partial<Pick<Todo, Exclude<keyof Schemas['todos.TodoChanges'], 'repeat'>>> & { repeat?: NewRepeat | null };
export type Repeat = Schemas['todos.Repeat'];
export type NewRepeat = Schemas['todos.SentRepeat'];
export type Weekday = Schemas['todos.Weekday'];
