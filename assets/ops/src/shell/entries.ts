/** What the command palette offers for a query: what the sections declare, and what belongs to the shell itself. */

import type { IconName } from '../lib/components/icons';
import { house, signOut } from '../lib/house.svelte';
import { currentLanguage, setLanguage, t } from '../lib/i18n.svelte';
import { showPanel } from '../lib/panels.svelte';
import { sentence } from '../lib/problems';
import { matches } from '../lib/search';
import type { Found, Search } from '../lib/section';
import { setTheme, THEMES } from '../lib/theme.svelte';
import { toastProblem } from '../lib/toasts.svelte';
import { open } from '../routes';
import { SECTIONS } from '../sections';
import { act } from './actions';

export type Entry = Pick<Found, 'name' | 'icon' | 'picture'> & { id: string; hint: string; run: () => void };
export type Group = { id: string; name: string; entries: Entry[] };
type BegunSearch = Search & { room: string; result: ReturnType<Search['begin']> };

const SEARCHES = import.meta.glob<Search>('../pages/*/search.svelte.ts', { eager: true, import: 'default' });

/** Pages whose name matches; the sections for an empty query, their inner pages only when something is typed. */
export function pageEntries(query: string): Entry[] {
  const pages = SECTIONS.map(({ path, name, icon, keys }) => entry(path, t(name), icon, () => open(path), keys));
  const inner = SECTIONS.flatMap(({ path, icon, inner = [] }) =>
    inner.map((page) => entry(path + page.path, t(page.name), icon, () => open(path + page.path))));
  return (query.trim() ? [...pages, ...inner] : pages).filter(({ name }) => matches(query, name));
}

/** Things to do from anywhere: those with a shortcut first, then those of the shell. */
export function actionEntries(query: string): Entry[] {
  const actions = SECTIONS.flatMap(({ actions = [] }) => actions).sort((a, b) => Number(!a.keys) - Number(!b.keys));
  const entries = [
    ...actions.map((action) => entry(action.name, t(action.name), action.icon, () => act(action), action.keys)),
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
  return entries.filter(({ name }) => matches(query, name));
}

/** Begins the search of every section that has one; call it while the palette is set up. */
export function beginSearches(query: () => string): BegunSearch[] {
  return SECTIONS.flatMap(({ room }) => {
    const search = SEARCHES[`../pages/${room}/search.svelte.ts`];
    return search ? [{ ...search, room, result: search.begin(query) }] : [];
  });
}

/** What was found, by section: the exact findings or the others. */
export function foundGroups(searches: BegunSearch[], exactly: boolean): Group[] {
  return searches.filter(({ exact = false }) => exact === exactly)
    .map(({ room, name, result }) => ({ id: room, name: t(name), entries: result.found.map((found) => foundEntry(room, found)) }));
}

function foundEntry(room: string, { id, name, icon, hint = '', picture, open: address }: Found): Entry {
  return { id: `${room}-${id}`, name, icon, hint, picture, run: () => open(address) };
}

function entry(id: string, name: string, icon: IconName, run: () => void, hint = ''): Entry {
  return { id, name, icon, hint, run };
}
