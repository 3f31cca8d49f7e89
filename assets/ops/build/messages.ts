import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const NAME = 'virtual:messages';

/**
 * The sentences that one room says in one language as one module, whichever sections they lie with: every
 * `{section}/messages/{room}.{language}.json` below `src`. `virtual:messages` tells how each is loaded, by `{room}.{language}`.
 */
export function messages(): Plugin {
  let source = '';
  return {
    name: 'messages',
    configResolved(config) {
      source = join(config.root, 'src');
    },
    resolveId(id) {
      return id === NAME || id.startsWith(`${NAME}/`) ? `\0${id}` : undefined;
    },
    async load(id) {
      if (!id.startsWith(`\0${NAME}`)) return undefined;
      const rooms = await roomsBelow(source);
      const room = id.slice(NAME.length + 2);
      if (room === '') {
        const loading = [...rooms.keys()].map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${NAME}/${name}`)})`);
        return `export default { ${loading.join(', ')} };`;
      }
      const files = rooms.get(room) ?? [];
      files.forEach((file) => this.addWatchFile(file));
      return `export default ${JSON.stringify(Object.assign({}, ...(await Promise.all(files.map(sentencesOf)))))};`;
    },
  };
}

/** The files of every room, by `{room}.{language}`. */
async function roomsBelow(source: string): Promise<Map<string, string[]>> {
  const rooms = new Map<string, string[]>();
  for (const name of (await readdir(source, { recursive: true })).sort()) {
    const room = /[\\/]messages[\\/]([\w-]+\.\w+)\.json$/.exec(name)?.[1];
    if (room) rooms.set(room, [...(rooms.get(room) ?? []), join(source, name)]);
  }
  return rooms;
}

/** The sentences of a file with the section before their keys. */
async function sentencesOf(file: string): Promise<Record<string, string>> {
  const section = basename(dirname(dirname(file)));
  const sentences = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  return Object.fromEntries(Object.entries(sentences).map(([key, text]) => [`${section}.${key}`, text]));
}
