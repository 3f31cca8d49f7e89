/** What the command palette offers for a query: what the sections declare, and what belongs to the shell itself. */

import { act } from '../lib/actions';
import { shapes } from '../lib/components/icons';
import { searchByKind, together, type Standing } from '../lib/found.svelte';
import { house } from '../lib/house.svelte';
import { currentLanguage, t, type MessageKey } from '../lib/i18n.svelte';
import { offering } from '../lib/offered.svelte';
import { showPanel } from '../lib/panels.svelte';
import { matches } from '../lib/search';
import type { Found, Search } from '../lib/section';
import { setTheme, THEMES } from '../lib/theme.svelte';
import { open } from '../routes';
import type { ListedSection } from '../sections';
import { leave } from './leave';
import { speak } from './speak';
import { hasMore } from './tabs.svelte';

/** `shape` is what its icon draws, `words` what it is found by besides its name. */
export type Entry = Pick<Found, 'name' | 'picture' | 'pieces' | 'excerpt'> & { id: string; shape: string; hint: string; run: () => void; words?: string };
export type Group = { id: string; name: string; entries: Entry[] };
type BegunSearch = Search & { section: ListedSection; result: ReturnType<Search['begin']> };

const SEARCHES = import.meta.glob<Search | Search[]>('../pages/*/search.svelte.ts', { eager: true, import: 'default' });

/** What is said in the language of the screen, with the same in the other one. */
export type Others = ReadonlyMap<string, string>;

/** Pages whose name matches; the sections for an empty query, each of their pages by its own name only when something is typed. */
export function pageEntries(query: string, others: Others): Entry[] {
  const isTyped = query.trim() !== '';
  const sections = offering();
  const pages = sections.map(({ path, name, pageName, words, innerWords, icon, keys }) => entry(path, t(isTyped ? pageName ?? name : name), icon, () => open(path), keys, innerWords?.[''] ?? words ?? name));
  const inner = sections.flatMap(({ path, icon, words, innerWords, inner = [] }) =>
    inner.filter(({ path }) => !path.includes(':')).map((page) => entry(path + page.path, t(page.name), icon, () => open(path + page.path), '', innerWords?.[page.path] ?? words)));
  return (isTyped ? [...pages, ...inner] : pages).filter(fits(query, others));
}

/** Things to do from anywhere: those with a shortcut first, then those of the shell. */
export function actionEntries(query: string, others: Others): Entry[] {
  const actions = offering().flatMap(({ actions = [] }) => actions).sort((a, b) => Number(!a.keys) - Number(!b.keys));
  const entries = [
    ...actions.map((action) => entry(action.name, t(action.name), shapes[action.icon], () => act(action), action.keys, action.words)),
    entry('activity', t('shell.activity.title'), shapes.activity, () => showPanel('activity'), 'a'),
    entry('shortcuts', t('shell.shortcuts.title'), shapes.help, () => showPanel('shortcuts'), '?'),
    // Only a phone has tabs, and only where not all sections fit is there a choice.
    ...(hasMore && matchMedia('(max-width: 700px)').matches ? [entry('more', t('shell.more.choose'), shapes.more, () => showPanel('more'))] : []),
    ...THEMES.map((theme) => entry(`theme-${theme}`, t(`shell.action.theme.${theme}`), shapes.sun, () => setTheme(theme), '', `shell.action.theme.${theme}.words`)),
    entry('language', t('shell.action.language'), shapes.language, () => void speak(currentLanguage() === 'ko' ? 'en' : 'ko'), '', 'shell.action.language.words'),
    ...(house()?.access === 'passphrase'
      ? [
          entry('sessions', t('shell.sessions.title'), shapes.machine, () => showPanel('sessions')),
          entry('sign-out', t('shell.sign_out'), shapes.out, () => void leave()),
        ]
      : []),
  ];
  const rank = (entry: Entry) => Number(!isNamed(entry, query, others));
  return entries.filter(fits(query, others)).sort((a, b) => rank(a) - rank(b));
}

/** Whether an entry is called what was typed, in whichever language, and not only found by it. */
export function isNamed({ name }: Entry, query: string, others: Others): boolean {
  return query.trim() !== '' && matches(query, `${name} ${others.get(name) ?? ''}`);
}

/** What an entry says, in whichever language somebody types. */
function fits(query: string, others: Others): (entry: Entry) => boolean {
  return ({ name, words = '' }) => matches(query, `${name} ${others.get(name) ?? ''} ${words} ${others.get(words) ?? ''}`);
}

/** Begins the search of every section that has one; call it while the palette is set up. */
export function beginSearches(query: () => string): BegunSearch[] {
  return offering().flatMap((section) => {
    const byKind = [section.search ?? []].flat().map((declared) => searchByKind(declared, section));
    const searches = [...byKind, SEARCHES[`../pages/${section.room}/search.svelte.ts`] ?? []].flat();
    return searches.map((search) => ({ ...search, section, result: search.begin(query) }));
  });
}

/** What the empty line says: all that can be found, each once, however many searches find by it. */
export function placeholder(searches: BegunSearch[]): string {
  return [...new Set([t('shell.palette.example'), ...searches.flatMap(({ example }) => (example ? [t(example)] : []))])].join(', ');
}

/** How far all searches have come. */
export function standingOf(searches: BegunSearch[]): Standing {
  return together(searches.map(({ result }) => result));
}

/** What was found, by section: the exact findings or the others. */
export function foundGroups(searches: BegunSearch[], exactly: boolean): Group[] {
  return searches.filter(({ exact = false }) => exact === exactly)
    .map(({ section, name, result }) => ({ id: name, name: t(name), entries: result.found.map((found) => foundEntry(section, found)) }));
}

function foundEntry(section: ListedSection, { id, icon, hint = '', open: address, ...shown }: Found): Entry {
  return { ...shown, id: `${section.room}-${id}`, shape: icon ? shapes[icon] : section.icon, hint, run: () => open(address) };
}

function entry(id: string, name: string, shape: string, run: () => void, hint = '', words?: MessageKey): Entry {
  return { id, name, shape, hint, run, ...(words && { words: t(words) }) };
}
