/** The app's two languages. Every visible sentence is in `src/messages/{ko,en}/{area}.json` and is asked for as `t('area.key')`. */

import type lottery from '../messages/ko/lottery.json';
import type shell from '../messages/ko/shell.json';
import type system from '../messages/ko/system.json';
import type today from '../messages/ko/today.json';
import type todos from '../messages/ko/todos.json';

export type Language = 'ko' | 'en';
export type Area = keyof Catalogue;
type Catalogue = {
  shell: typeof shell; today: typeof today; todos: typeof todos; system: typeof system; lottery: typeof lottery;
};
/** The keys that exist: a misspelt key does not compile. */
export type MessageKey = { [A in Area]: `${A}.${keyof Catalogue[A] & string}` }[Area];
export type Values = Record<string, string | number>;

const STORED = 'hanok.language';
const files = import.meta.glob<Record<string, string>>('../messages/*/*.json', { import: 'default' });

let language = $state<Language>(chosenLanguage());
let messages = $state.raw<Record<string, string>>({});
/** Areas that are loaded or on their way. */
const areas = new Map<Area, Promise<void>>();

/**
 * The sentence of a key in the chosen language, with `{name}` replaced by `values.name`.
 * `{count|task|tasks}` chooses by number: the first form for exactly one, the second for anything else.
 */
export function t(key: MessageKey, values: Values = {}): string {
  return fill(messages[key] ?? key, values);
}

/** One of the two texts that the server composed, by the chosen language: `either(reason, 'text')`. */
export function either<Stem extends string>(pair: { [K in `${Stem}_ko` | `${Stem}_en`]: string }, stem: Stem): string {
  return pair[`${stem}_${language}`];
}

/** The chosen language; reactive. */
export function currentLanguage(): Language {
  return language;
}

/** Loads the sentences of an area; called by the area's routes before the page is shown. */
export function loadMessages(area: Area): Promise<void> {
  const known = areas.get(area);
  if (known) return known;
  const loading = learn(area).catch((cause: unknown) => {
    areas.delete(area);
    throw cause;
  });
  areas.set(area, loading);
  return loading;
}

async function learn(area: Area): Promise<void> {
  const of = language;
  const texts = await read(area, of);
  // The reader may have switched the language meanwhile.
  messages = { ...messages, ...(of === language ? texts : await read(area, language)) };
}

/** Switches the language of the whole app at once, and remembers it in this browser. */
export async function setLanguage(next: Language): Promise<void> {
  const loaded = await Promise.all([...areas.keys()].map((area) => read(area, next)));
  messages = Object.assign({}, ...loaded);
  language = next;
  document.documentElement.lang = next;
  try {
    localStorage.setItem(STORED, next);
  } catch {
    // Storage is switched off in this browser: the choice holds until the page is closed.
  }
}

async function read(area: Area, of: Language): Promise<Record<string, string>> {
  const load = files[`../messages/${of}/${area}.json`];
  if (!load) throw new Error(`no catalogue ${of}/${area}`);
  return Object.fromEntries(Object.entries(await load()).map(([key, text]) => [`${area}.${key}`, text]));
}

/** Replaces the placeholders of one sentence; a placeholder without a value stays visible, so that it is noticed. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (one === undefined || many === undefined) return String(value);
    return Number(value) === 1 ? one : many;
  });
}

function chosenLanguage(): Language {
  if (typeof document === 'undefined') return 'ko';
  return document.documentElement.lang === 'en' ? 'en' : 'ko';
}
