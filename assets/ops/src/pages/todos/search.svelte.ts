/** Finds open todos by parts of their words at once; done ones, and open ones that say it otherwise, with the server's help. */

import { findOnServer, marked, together, type Hit } from '../../lib/found.svelte';
import { t } from '../../lib/i18n.svelte';
import { resource } from '../../lib/resource.svelte';
import { due } from '../../lib/say';
import { matches } from '../../lib/search';
import type { Found, Search } from '../../lib/section';
import { openTodos } from './load';
import type { Todo } from './types';

const MOST = 6;

export default { name: 'todos.palette.todos', example: 'todos.palette.example', begin } satisfies Search;

function begin(query: () => string): ReturnType<Search['begin']> {
  const list = resource(openTodos, ['todos'], '/api/todos?open');
  const fitting = $derived(query().trim() === '' ? [] : (list.data ?? []).filter(({ title, note }) => matches(query(), `${title} ${note}`)));
  const open = findOnServer(query, 'todo', MOST, false);
  const done = findOnServer(query, 'todo', MOST, true);
  const server = $derived(together([open, done]));
  const known = $derived(new Map(open.hits.map((hit) => [hit.id, hit])));
  return {
    get found() {
      const rest = fitting.length - MOST;
      const others = open.hits.filter(({ id }) => !fitting.some((todo) => todo.id === id));
      return [
        ...fitting.slice(0, MOST).map((todo) => asFound(todo, known.get(todo.id))),
        ...(rest > 0 ? [more(rest)] : []),
        ...others.map(asOpen),
        ...done.hits.map(asDone),
      ];
    },
    get asking() {
      return server.asking || (query().trim() !== '' && list.waiting);
    },
    get failed() {
      return server.failed || (query().trim() !== '' && list.error !== undefined);
    },
    get partial() {
      return server.partial;
    },
  };
}

function asFound({ id, title, due: day }: Todo, hit?: Hit): Found {
  return { id, name: title, ...(hit?.title === title && marked(hit)), hint: day ? due(day) : '', open: `/todos?todo=${id}` };
}

function asOpen(hit: Hit): Found {
  return { id: hit.id, name: hit.title, ...marked(hit), open: hit.leads_to };
}

function asDone(hit: Hit): Found {
  return { ...asOpen(hit), icon: 'check', hint: t('todos.palette.done') };
}

/** Says that there are others, and leads to the list. */
function more(count: number): Found {
  return { id: 'more', name: t('todos.palette.more', { count }), icon: 'more', open: '/todos' };
}
