import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const NAME = 'virtual:messages';
const LANGUAGES = ['ko', 'en'];

/** What is said in a room, by its key: in Korean and in English. */
type Room = Record<string, [string, string]>;

/**
 * The sentences of one room in one language as one module, whichever sections they lie with. Every `{section}/messages.json`
 * below `src` says them by room and key, each in Korean and in English:
 *
 *     { "pages": { "title": ["화분", "Plants"] }, "today": { "today.none": ["모두 물을 먹었습니다.", "All are watered."] } }
 *
 * The room `pages` is that of the section's own pages. `virtual:messages` tells how each room is loaded, by
 * `{room}.{language}`. A sentence that lacks a language, or that is there twice, ends the build.
 */
export function messages(): Plugin {
  let source = '';
  let reading: ReturnType<typeof catalogues> | undefined;
  return {
    name: 'messages',
    configResolved(config) {
      source = join(config.root, 'src');
    },
    watchChange: () => void (reading = undefined),
    resolveId(id) {
      return id === NAME || id.startsWith(`${NAME}/`) ? `\0${id}` : undefined;
    },
    async load(id) {
      if (!id.startsWith(`\0${NAME}`)) return undefined;
      const files = await (reading ??= catalogues(source));
      const rooms = roomsOf(files);
      const wanted = id.slice(NAME.length + 2);
      if (wanted === '') {
        const names = [...rooms.keys()].flatMap((room) => LANGUAGES.map((language) => `${room}.${language}`));
        return `export default { ${names.map((name) => `'${name}': () => import('${NAME}/${name}')`).join(', ')} };`;
      }
      files.forEach(({ file }) => this.addWatchFile(file));
      const [room = '', language = ''] = wanted.split('.');
      const said = Object.entries(rooms.get(room) ?? {}).map(([key, texts]) => [key, texts[LANGUAGES.indexOf(language)]]);
      return `export default ${JSON.stringify(Object.fromEntries(said))};`;
    },
  };
}

/** Every catalogue with its section and its rooms. */
async function catalogues(source: string): Promise<{ file: string; section: string; rooms: Record<string, Room> }[]> {
  const names = (await readdir(source, { recursive: true })).filter((name) => basename(name) === 'messages.json').sort();
  return Promise.all(names.map(async (name) => {
    const file = join(source, name);
    return { file, section: basename(dirname(file)), rooms: JSON.parse(await readFile(file, 'utf8')) as Record<string, Room> };
  }));
}

/** The sentences of all sections by room, with the section before their keys. */
function roomsOf(files: { file: string; section: string; rooms: Record<string, Room> }[]): Map<string, Room> {
  const found = new Map<string, Room>();
  for (const { file, section, rooms } of files) {
    const keys = new Set<string>();
    for (const [name, sentences] of Object.entries(rooms)) {
      const room = name === 'pages' ? section : name;
      const of = found.get(room) ?? {};
      found.set(room, of);
      for (const [key, texts] of Object.entries(sentences)) {
        const isWhole = Array.isArray(texts) && texts.length === 2 && texts.every((text) => typeof text === 'string' && text.trim() !== '');
        if (!isWhole) throw new Error(`${file}: "${key}" in "${name}" is not ["한국어", "English"]`);
        if (keys.has(key)) throw new Error(`${file}: "${key}" is there twice`);
        keys.add(key);
        of[`${section}.${key}`] = texts;
      }
    }
  }
  return found;
}
