/**
 * What the server says, in the reader's language: it sends a key and parameters beside its English, and the sentences lie in
 * three rooms of the catalogues, each loaded when first something of it is said: `refused` for what is wrong with the fields of
 * a request, and their names, `work` for what came of a task and of whom it asked, `said` for everything else.
 */

import { currentLanguage, known, loadMessages } from './i18n.svelte';
import { number } from './number';
import type { Schemas } from './schema';

export type LocalizedMessage = Schemas['LocalizedMessage'];

/** The rooms of some sentences, by their keys behind their section; of all others it is `said`. */
const ROOMS = { refused: /^[^.]+\.(?:must|sent)\./, work: /^[^.]+\.(?:task|compute|upstream)\./ };
/** No failure waits longer than this for its words: what went wrong may be that nothing comes any more. */
const PATIENCE_MS = 2_000;
/** Below this nothing is grouped: it may be the number of a draw, a year. */
const GROUPED = 100_000;

/** The rooms in which what is said has its words. */
export function roomsOf(said: readonly (LocalizedMessage | null | undefined)[]): Set<string> {
  return new Set(said.flatMap((one) => (one ? [roomOf(one.message_key), ...roomsOf(Object.values(one.params).flatMap(partsOf))] : [])));
}

/** Loads rooms with sentences of the server, if they are to be had. */
export async function learnSentences(rooms: Iterable<string>): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([Promise.all([...rooms].map((room) => loadMessages(room).catch(() => undefined))), late]);
}

/** The sentence in the reader's language, or its English where it has no key or a key that this app does not know; reactive. */
export function localized(said: LocalizedMessage | null | undefined, english: string): string {
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

/** A sentence in pieces: what stands between two backticks is to be typed, and is shown without them. */
export function inPieces(sentence: string): { said: string; isTyped: boolean }[] {
  const pieces = sentence.split(/`([^`]*)`/).map((said, at) => ({ said, isTyped: at % 2 === 1 }));
  return pieces.filter(({ said }) => said !== '');
}

function words({ message_key: key, params: values }: LocalizedMessage): string | undefined {
  void loadMessages(roomOf(key)).catch(() => undefined);
  const said = known(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inWords(value)])));
  // Whoever copies a command may paste it anywhere: each names the folder that it is for.
  return said?.replace(/`(hanok [^`]*)`/g, (_, command: string) => `\`${placed(command, values['data_dir'])}\``);
}

function roomOf(key: string): string {
  return Object.entries(ROOMS).find(([, keys]) => keys.test(key))?.[0] ?? 'said';
}

/** The sentences that a value consists of. */
function partsOf(value: LocalizedMessage['params'][string]): LocalizedMessage[] {
  return Array.isArray(value) ? (value as unknown as LocalizedMessage[]) : [];
}

function placed(command: string, folder: LocalizedMessage['params'][string] | undefined): string {
  return typeof folder === 'string' && !command.includes('--data-dir') ? `${command} --data-dir ${folder}` : command;
}

function inWords(value: LocalizedMessage['params'][string]): string | number {
  if (typeof value === 'number') return value < GROUPED ? value : number(value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return partsOf(value).map((part) => words(part) ?? part.message_key).join(' ');
  return value[currentLanguage()];
}
