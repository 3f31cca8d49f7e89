import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const SOURCE = 'src/service-worker.js';

/**
 * Writes the service worker into the output, with the names of the files that it may keep and a version that changes whenever
 * one of them does: it comes in a file without a hash in its name, because a browser knows it by its address.
 */
export function serviceWorker(): Plugin {
  let root = '';
  let open = '';
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      root = config.root;
      open = config.publicDir;
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const source = await readFile(join(root, SOURCE));
        const loose = (await readdir(open)).sort();
        const named = Object.keys(bundle).filter((name) => name.startsWith('assets/')).sort();
        const digest = createHash('sha256').update(source).update(named.join('\n'));
        for (const name of loose) digest.update(await readFile(join(open, name)));
        const page = bundle['index.html'];
        if (page?.type === 'asset') digest.update(page.source);
        const first = page?.type === 'asset' ? [...page.source.toString().matchAll(/"(\/assets\/[^"]+)"/g)].map(([, name]) => name) : [];
        const files = ['/', ...loose.map((name) => `/${name}`), ...named.map((name) => `/${name}`)];
        const known = `const VERSION = ${JSON.stringify(digest.digest('hex').slice(0, 16))};\nconst FIRST = ${JSON.stringify(['/', ...loose.map((name) => `/${name}`), ...first])};\nconst FILES = ${JSON.stringify(files)};\n`;
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: known + source.toString() });
      },
    },
  };
}
