/** The shapes of the todos. */

import type { Schemas } from '../../lib/schema';

export type Todo = Schemas['Todo'];
export type NewTodo = Schemas['NewTodo'];
/** Fields that change; the others stay. */
export type TodoChanges = Partial<Pick<Todo, 'title' | 'note' | 'due' | 'done'>>;
