/** The todos' part of Today: what is due, each with a button that ticks it off, and what comes next. */

import { daysBetween, dayOf } from '../../lib/format';
import { t } from '../../lib/i18n.svelte';
import { due as dueName } from '../../lib/say';
import type { Day, Today } from '../../lib/schema';
import type { Need, TodayPart } from '../../lib/section';
import { markOnDay, tick } from './finish';
import type { Todo } from './types';

/** Todos listed one by one; the rest is a number with a link. */
const MOST = 4;

export default {
  changes: ['todos'],
  needs,
  cards: [{ id: 'next', name: 'todos.today.title', card: () => import('./TodayCard.svelte') }],
} satisfies TodayPart;

function needs({ todos }: Today, now: number): Need[] {
  const today = dayOf(now);
  const due = todos.due.filter((todo) => !todo.done && todo.due !== null && daysBetween(today, todo.due) <= 0);
  const listed = due.slice(0, MOST);
  // The server names the most urgent ones only, and counts them all.
  const more = todos.due_count - (todos.due.length - due.length) - listed.length;
  return [
    ...listed.map((todo) => asNeed(todo, today)),
    ...(more > 0 ? [{ id: 'more', rank: 20, count: more, name: 'todos.today.title', text: t('todos.today.more_due', { count: more }), act: { open: '/todos' } } as const] : []),
  ];
}

function asNeed(todo: Todo, today: Day): Need {
  const overdue = todo.due !== today;
  return {
    id: todo.id, rank: 10, urgent: overdue, text: todo.title, hint: [overdue && todo.due ? dueName(todo.due) : '', todo.time ?? ''].filter((part) => part !== '').join(' '),
    name: overdue ? 'todos.today.need.overdue' : 'todos.today.need.today',
    act: { label: t('todos.today.do.done'), described: t('todos.today.do.done_of', { title: todo.title }), run: (day) => tick(todo, true, (done) => markOnDay(todo, done, day)) },
  };
}
