/** What the command palette offers for a query. */

import { api, call } from '../lib/api';
import type { IconName } from '../lib/components/icons';
import { house, signOut } from '../lib/house.svelte';
import { currentLanguage, setLanguage, t } from '../lib/i18n.svelte';
import { PAGES } from '../lib/pages';
import { showPanel } from '../lib/panels.svelte';
import { sentence } from '../lib/problems';
import { resource } from '../lib/resource.svelte';
import { due } from '../lib/say';
import { matches } from '../lib/search';
import { setTheme, THEMES } from '../lib/theme.svelte';
import { toast, toastProblem } from '../lib/toasts.svelte';
import type { Draw, Todo } from '../lib/types';
import { navigate } from '../routes';

export type Entry = { id: string; label: string; icon: IconName; hint: string; draw: Draw | undefined; run: () => void };

const MOST_TODOS = 6;
const TYPING_PAUSE_MS = 180;

const LOTTERY_PAGES = ['statistics', 'performance', 'reports', 'purchases', 'simulate', 'history'] as const;

/** Pages whose name or other words match; all of them for an empty query, the rooms' inner pages only when asked for. */
export function pageEntries(query: string): Entry[] {
  const rooms = PAGES.map(({ href, label, icon, key }) => entry(href, t(label), icon, () => void navigate(href), key));
  const inner = LOTTERY_PAGES.map((name) =>
    entry(`lottery-${name}`, t(`shell.palette.lottery.${name}`), 'lottery', () => void navigate(`/lottery/${name}`)));
  return (query.trim() ? [...rooms, ...inner] : rooms).filter(({ label }) => matches(query, label));
}

/** Things to do from anywhere. */
export function actionEntries(query: string): Entry[] {
  const actions = [
    entry('todo', t('shell.action.todo'), 'plus', () => void navigate('/todos', { search: { new: 1 } }), 'n'),
    entry('backup', t('shell.action.backup'), 'check', () => void reported(async () => {
      await call(api.POST('/api/system/backups'));
      return t('shell.action.backed_up');
    })),
    entry('sync', t('shell.action.sync'), 'refresh', () => void reported(async () => {
      await call(api.POST('/api/lotto/sync'));
      return t('shell.action.syncing');
    })),
    entry('activity', t('shell.activity.title'), 'activity', () => showPanel('activity'), 'a'),
    entry('shortcuts', t('shell.shortcuts.title'), 'help', () => showPanel('shortcuts'), '?'),
    ...THEMES.map((theme) => entry(`theme-${theme}`, t(`shell.action.theme.${theme}`), 'sun', () => setTheme(theme))),
    entry('language', t('shell.action.language'), 'language', () => void setLanguage(currentLanguage() === 'ko' ? 'en' : 'ko')),
    ...(house()?.access === 'passphrase'
      ? [
          entry('sessions', t('shell.sessions.title'), 'system', () => showPanel('sessions')),
          entry('sign-out', t('shell.sign_out'), 'out', () => void signOut().catch((cause: unknown) => toastProblem(sentence(cause)))),
        ]
      : []),
  ];
  return actions.filter(({ label }) => matches(query, label));
}

/** Open todos that match, once something is typed. Call it while the palette is set up. */
export function todoEntries(): { matching: (query: string) => Entry[] } {
  const list = resource(() => call(api.GET('/api/todos')), ['todos']);
  const asEntry = (todo: Todo) =>
    entry(`todo-${todo.id}`, todo.title, 'todos', () => void navigate('/todos', { search: { todo: todo.id } }), todo.due ? due(todo.due) : '');
  return {
    matching: (query) => (query.trim() === '' ? [] : (list.data?.todos ?? [])
      .filter((todo) => !todo.done && matches(query, `${todo.title} ${todo.note}`)).slice(0, MOST_TODOS).map(asEntry)),
  };
}

/** The draw whose number was typed (`1245`, `1245회`, `#1245`). Call it while the palette is set up. */
export function drawEntry(query: () => string): { readonly current: Entry | undefined } {
  let found = $state.raw<Draw>();
  const wanted = $derived(/^#?(\d{1,5})\p{L}*$/u.exec(query().trim())?.[1]);
  $effect(() => {
    found = undefined;
    if (!wanted) return;
    const draw_no = Number(wanted);
    let left = false;
    const timer = setTimeout(async () => {
      // A number that is no draw has no entry; the palette then says that nothing was found.
      const draw = await call(api.GET('/api/lotto/draws/{draw_no}', { params: { path: { draw_no } } })).catch(() => undefined);
      if (!left) found = draw;
    }, TYPING_PAUSE_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  });
  return {
    get current() {
      const draw = found;
      if (!draw) return undefined;
      const label = t('shell.palette.draw', { n: draw.draw_no });
      return { ...entry('draw', label, 'lottery', () => void navigate('/lottery/statistics', { search: { draw: draw.draw_no } })), draw };
    },
  };
}

async function reported(work: () => Promise<string>): Promise<void> {
  try {
    toast(await work());
  } catch (cause) {
    toastProblem(sentence(cause));
  }
}

function entry(id: string, label: string, icon: IconName, run: () => void, hint = ''): Entry {
  return { id: id.replace('/', '') || 'today', label, icon, hint, draw: undefined, run };
}
