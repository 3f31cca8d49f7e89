/**
 * What the server says, in the reader's language: it sends a key and values beside its English, and the sentences lie in
 * two rooms of the catalogues, each loaded when first something of it is said: `refused` for what is wrong with the fields of
 * a request, and their names, `said` for everything else.
 */

import { currentLanguage, known, loadMessages } from './i18n.svelte';
import { number } from './number';
import type { Schemas } from './schema';

export type Spoken = Schemas['Spoken'];

/** The keys of what is said of fields, behind their section. */
const OF_FIELDS = /^[^.]+\.(?:must|sent)\./;
/** No failure waits longer than this for its words: what went wrong may be that nothing comes any more. */
const PATIENCE_MS = 2_000;
/** Below this nothing is grouped: it may be the number of a draw, a year. */
const GROUPED = 100_000;

/** Loads the sentences of the server, those of the fields of a request too where such are `refused`, if they are to be had. */
export async function learnSentences(refused = false): Promise<void> {
  const rooms = refused ? ['said', 'refused'] : ['said'];
  const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([Promise.all(rooms.map((room) => loadMessages(room).catch(() => undefined))), late]);
}

/** The sentence in the reader's language, or its English where it has no key or a key that this app does not know; reactive. */
export function spoken(said: Spoken | null | undefined, english: string): string {
  return (said && words(said)) ?? english;
}

/**
 * A field of a request by the name that people know it by, and its places in lists: `sets[3][2]` is `Games 4-3`. The words are
 * those of the domain that was asked (`owner`), or of the house; reactive.
 */
export function fieldName(path: string, owner?: string | null): string {
  const places = [...path.matchAll(/\[(\d+)\]/g)].map(([, place]) => Number(place) + 1);
  const last = path.replaceAll(/\[\d+\]/g, '').split('.').at(-1) ?? '';
  const named = [owner, 'house'].map((section) => known(`${section}.sent.${last}`)).find(Boolean);
  return [named ?? last, places.join('-')].filter(Boolean).join(' ');
}

function words({ key, values }: Spoken): string | undefined {
  void loadMessages(OF_FIELDS.test(key) ? 'refused' : 'said').catch(() => undefined);
  const said = known(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inWords(value)])));
  // Whoever copies a command may paste it anywhere: each names the folder that it is for.
  return said?.replace(/`(hanok [^`]*)`/g, (_, command: string) => `\`${placed(command, values['data_dir'])}\``);
}

function placed(command: string, folder: Spoken['values'][string] | undefined): string {
  return typeof folder === 'string' && !command.includes('--data-dir') ? `${command} --data-dir ${folder}` : command;
}

function inWords(value: Spoken['values'][string]): string | number {
  if (typeof value === 'number') return value < GROUPED ? value : number(value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return (value as unknown as Spoken[]).map((part) => words(part) ?? part.key).join(' ');
  return value[currentLanguage()];
}
