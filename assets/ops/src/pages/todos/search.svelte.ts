/** Finds open todos by parts of their words at once, and done ones with the server's help. */

import { findOnServer, type Hit } from '../../lib/found.svelte';
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
  const server = findOnServer(query, 'todo', MOST, true);
  return {
    get found() {
      const rest = fitting.length - MOST;
      return [...fitting.slice(0, MOST).map(asFound), ...(rest > 0 ? [more(rest)] : []), ...server.hits.map(asDone)];
    },
    get asking() {
      return server.asking || (query().trim() !== '' && list.waiting);
    },
    get failed() {
      return server.failed || (query().trim() !== '' && list.error !== undefined);
    },
  };
}

function asFound({ id, title, due: day }: Todo): Found {
  return { id, name: title, hint: day ? due(day) : '', open: `/todos?todo=${id}` };
}

function asDone({ id, title }: Hit): Found {
  return { id, name: title, icon: 'check', hint: t('todos.palette.done'), open: `/todos?todo=${id}` };
}

/** Says that there are others, and leads to the list. */
function more(count: number): Found {
  return { id: 'more', name: t('todos.palette.more', { count }), icon: 'more', open: '/todos' };
}
