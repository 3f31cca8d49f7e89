/**
 * The app's two languages. Every visible sentence lies with the section that says it, in its `messages.json`, by the room that
 * it is said in, and is asked for as `t('section.key')`:
 *
 *     { "pages": { "title": ["화분", "Plants"] }, "shell": { "name": ["화분", "Plants"] } }
 *
 * `pages` is said on the section's own pages, `today` by its cards on Today, `shell` around all pages (its name, the marks at
 * it), `windows` by the shell's windows (what the palette offers of it), `said`, `refused` and `work` by the server
 * (`localized.ts`). The sentences of a room come together in one file; a page that says much has a room of its own (`saying`).
 */

import loading from 'virtual:messages';
import type { Catalogues } from '../../generated/messages';
import { number } from './number';
import { isParticle, particle } from './particles';

export type Language = 'ko' | 'en';
/** What the server says, which no source of the app names. */
type ServerRoom = 'said' | 'refused' | 'work';
type KeysOf<Rooms> = { [Room in Exclude<keyof Rooms, ServerRoom>]: keyof Rooms[Room] & string }[Exclude<keyof Rooms, ServerRoom>];
/** The keys that exist: a misspelt key does not compile. */
export type MessageKey = { [Section in keyof Catalogues]: `${Section}.${KeysOf<Catalogues[Section]>}` }[keyof Catalogues];
export type Values = Record<string, string | number>;

const STORED = 'hanok.language';

let language = $state<Language>(chosenLanguage());
let messages = $state.raw<Record<string, string>>({});
/** Rooms whose sentences are loaded or on their way. */
const rooms = new Map<string, Promise<void>>();

/**
 * The sentence of a key in the chosen language, with `{name}` replaced by `values.name`.
 * `{count,}` is a count, whose thousands are set apart; the number of a draw or a year has none.
 * `{count|task|tasks}` chooses by number: the first form for exactly one, the second for anything else.
 * `{name}{name|을|를}` is a word with the Korean particle that follows it, as it ends in a consonant or a vowel.
 */
export function t(key: MessageKey, values: Values = {}): string {
  return fill(messages[key] ?? key, values);
}

/** One of the two texts that the server composed, by the chosen language: `either(reason, 'text')`. */
export function either<Stem extends string>(pair: { [K in `${Stem}_ko` | `${Stem}_en`]: string }, stem: Stem): string {
  return pair[`${stem}_${language}`];
}

/** The sentence of a key that no source of the app names, or undefined where there is none (yet); reactive. */
export function known(key: string, values: Values = {}): string | undefined {
  const text = messages[key];
  return text === undefined ? undefined : fill(text, values);
}

/** The chosen language; reactive. */
export function currentLanguage(): Language {
  return language;
}

/** Loads the sentences that are said in a room: the shell, the pages of a section, or one of them; called before it is shown. */
export function loadMessages(room: string): Promise<void> {
  const known = rooms.get(room);
  if (known) return known;
  const loading = learn(room).catch((cause: unknown) => {
    rooms.delete(room);
    throw cause;
  });
  rooms.set(room, loading);
  return loading;
}

/** A file with the sentences that only it says, in a room of their own: they come with it, and not with every page of its section. */
export async function saying<File>(room: string, file: Promise<File>): Promise<File> {
  const [come] = await Promise.all([file, loadMessages(room)]);
  return come;
}

async function learn(room: string): Promise<void> {
  // Not the rune: who shows something once it has come is not to show it anew in another language.
  let of = chosenLanguage();
  let texts = await read(room, of);
  // The reader may have switched the language meanwhile.
  while (of !== language) texts = await read(room, (of = language));
  messages = { ...messages, ...texts };
}

/** Switches the language of the whole app at once, and remembers it in this browser. */
export async function setLanguage(next: Language): Promise<void> {
  let loaded: Record<string, string>[] = [];
  // Whoever goes on to another page meanwhile has its sentences, too.
  while (loaded.length < rooms.size) loaded = await Promise.all([...rooms.keys()].map((room) => read(room, next)));
  messages = Object.assign({}, ...loaded);
  language = next;
  document.documentElement.lang = next;
  try {
    localStorage.setItem(STORED, next);
  } catch {
    // Storage is switched off in this browser: the choice holds until the page is closed.
  }
}

/** The sentences of some rooms in the language of the screen, each with the same in the other one. */
export async function inOtherWords(...rooms: string[]): Promise<Map<string, string>> {
  const of = language;
  const pairs = await Promise.all(rooms.map((room) => Promise.all([read(room, of), read(room, of === 'ko' ? 'en' : 'ko')])));
  return new Map(pairs.flatMap(([own, other]) => Object.entries(own).map(([key, said]) => [said, other[key] ?? ''] as const)));
}

async function read(room: string, of: Language): Promise<Record<string, string>> {
  const load = loading[`${room}.${of}`];
  if (!load) throw new Error(`no sentences for ${room} in ${of}`);
  return (await load()).default;
}

/** Replaces the placeholders of one sentence; a placeholder without a value stays visible, so that it is noticed. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)(,)?(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, isCount?: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (one === undefined || many === undefined) return isCount && typeof value === 'number' ? number(value) : String(value);
    if (isParticle(one, many)) return particle(String(value), one, many);
    return Number(value) === 1 ? one : many;
  });
}

function chosenLanguage(): Language {
  if (typeof document === 'undefined') return 'ko';
  return document.documentElement.lang === 'en' ? 'en' : 'ko';
}
