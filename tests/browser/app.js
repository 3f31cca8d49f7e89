/** The household's app with made-up sections, built for a test and shown in front of a real house. */

import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from './house.js';

const ASSETS = new URL('../../assets/', import.meta.url).pathname;
const SOURCES = ['build', 'index.html', 'package.json', 'public', 'src', 'svelte.config.js', 'tsconfig.json', 'vite.config.ts'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Builds the app with `files` in it, by their paths below `src`; the folder is gone with the test `t`. */
export async function buildApp(t, files) {
  const folder = await newFolder(t);
  const app = join(folder, 'ops');
  await Promise.all(SOURCES.map((name) => cp(join(ASSETS, 'ops', name), join(app, name), { recursive: true })));
  await cp(join(ASSETS, 'style'), join(folder, 'style'), { recursive: true });
  await symlink(join(ASSETS, 'ops/node_modules'), join(app, 'node_modules'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(app, 'src', name)), { recursive: true });
    await writeFile(join(app, 'src', name), text);
  }
  await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--mode', 'look'], { cwd: app });
  return join(app, 'dist');
}

/** The files that stand before the first page of a built app, as its HTML names them, and how many bytes of them are sent. */
export async function shellOf(app) {
  const html = await readFile(join(app, 'index.html'), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(app, `${file}.br`))).size));
  return { files, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Shows a built app in place of the house's own in every tab of the visitor; what it asks of the house is answered by the house. */
export async function showApp(context, app) {
  await context.route((url) => !url.pathname.startsWith('/api/'), async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const file = join(app, request.resourceType() === 'document' ? 'index.html' : pathname);
    const body = await readFile(file).catch(() => undefined);
    if (body) await route.fulfill({ body, contentType: TYPES[extname(file)] });
    else await route.continue();
  });
}

/** The declaration of a made-up section; `more` are further fields, `offers` those of what it offers on every page, as they stand in its source. */
export function section(room, { name = room, icon = 'M4 4h16v16H4z', group = 'work', order, keys, more = '', offers = '' }) {
  return {
    [`pages/${room}/section.ts`]: `export default {
      path: '/${room}', name: '${name}', icon: '${icon}', group: '${group}', order: ${order}, keys: '${keys}', page: () => import('./Page.svelte'), ${more}
    };`,
    ...(offers && { [`pages/${room}/offers.ts`]: `export default { ${offers} };` }),
    [`pages/${room}/messages.json`]: '{ "pages": {} }',
    [`pages/${room}/Page.svelte`]: `<h1>${name}</h1><p><a href="/">home</a></p>`,
  };
}
