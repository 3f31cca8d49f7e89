/** What the command palette offers for a query: what the sections declare, and what belongs to the shell itself. */

import { shapes } from '../lib/components/icons';
import { house, signOut } from '../lib/house.svelte';
import { currentLanguage, setLanguage, t } from '../lib/i18n.svelte';
import { showPanel } from '../lib/panels.svelte';
import { sentence } from '../lib/problems';
import { matches } from '../lib/search';
import type { Found, Search } from '../lib/section';
import { setTheme, THEMES } from '../lib/theme.svelte';
import { toastProblem } from '../lib/toasts.svelte';
import { open } from '../routes';
import { SECTIONS, type ListedSection } from '../sections';
import { act } from './actions';

/** `shape` is what its icon draws. */
export type Entry = Pick<Found, 'name' | 'picture'> & { id: string; shape: string; hint: string; run: () => void };
export type Group = { id: string; name: string; entries: Entry[] };
type BegunSearch = Search & { section: ListedSection; result: ReturnType<Search['begin']> };

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
    ...actions.map((action) => entry(action.name, t(action.name), shapes[action.icon], () => act(action), action.keys)),
    entry('activity', t('shell.activity.title'), shapes.activity, () => showPanel('activity'), 'a'),
    entry('shortcuts', t('shell.shortcuts.title'), shapes.help, () => showPanel('shortcuts'), '?'),
    ...THEMES.map((theme) => entry(`theme-${theme}`, t(`shell.action.theme.${theme}`), shapes.sun, () => setTheme(theme))),
    entry('language', t('shell.action.language'), shapes.language, () => void setLanguage(currentLanguage() === 'ko' ? 'en' : 'ko')),
    ...(house()?.access === 'passphrase'
      ? [
          entry('sessions', t('shell.sessions.title'), shapes.machine, () => showPanel('sessions')),
          entry('sign-out', t('shell.sign_out'), shapes.out, () => void signOut().catch((cause: unknown) => toastProblem(sentence(cause)))),
        ]
      : []),
  ];
  return entries.filter(({ name }) => matches(query, name));
}

/** Begins the search of every section that has one; call it while the palette is set up. */
export function beginSearches(query: () => string): BegunSearch[] {
  return SECTIONS.flatMap((section) => {
    const search = SEARCHES[`../pages/${section.room}/search.svelte.ts`];
    return search ? [{ ...search, section, result: search.begin(query) }] : [];
  });
}

/** What the empty line says: all that can be found. */
export function placeholder(searches: BegunSearch[]): string {
  return [t('shell.palette.example'), ...searches.map(({ example }) => t(example))].join(', ');
}

/** What was found, by section: the exact findings or the others. */
export function foundGroups(searches: BegunSearch[], exactly: boolean): Group[] {
  return searches.filter(({ exact = false }) => exact === exactly)
    .map(({ section, name, result }) => ({ id: section.room, name: t(name), entries: result.found.map((found) => foundEntry(section, found)) }));
}

function foundEntry(section: ListedSection, { id, name, icon, hint = '', picture, open: address }: Found): Entry {
  return { id: `${section.room}-${id}`, name, shape: icon ? shapes[icon] : section.icon, hint, picture, run: () => open(address) };
}

function entry(id: string, name: string, shape: string, run: () => void, hint = ''): Entry {
  return { id, name, shape, hint, run };
}
