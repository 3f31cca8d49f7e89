/** What the server would refuse, said before it is sent. */

import { t } from '../../lib/i18n.svelte';
import { number } from '../../lib/say';
import { NewTodo } from '../../bounds/todos';

const LONGEST_TITLE = NewTodo.title.maxLength;

/** Why a title cannot be kept; empty when it can. */
export function titleProblem(title: string): string {
  if (title.trim() === '') return t('todos.field.empty');
  return [...title.trim()].length > LONGEST_TITLE ? t('todos.field.long', { max: number(LONGEST_TITLE) }) : '';
}
