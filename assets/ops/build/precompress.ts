import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.txt']);
const SMALLEST_WORTH_IT = 1024;

/**
 * Writes `FILE.br` and `FILE.gz` next to every text file of at least 1 kB in the output folder: the
 * server sends them as they are. Over a line without TLS browsers take nothing smaller than gzip; Zopfli's would be 3 % below
 * that of zlib, for half a minute of every build. An app that is built for a look, in the mode `look`, has only its `.br` files.
 */
export function precompress(): Plugin {
  let folder = '';
  let forms = [brotli, zipped];
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
      if (config.mode === 'look') forms = [brotli];
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true });
      const worthIt = await Promise.all(names.map((name) => isWorthIt(join(folder, name))));
      await Promise.all(names.filter((_, index) => worthIt[index]).flatMap((name) => forms.map((form) => form(join(folder, name)))));
    },
  };
}

async function isWorthIt(file: string): Promise<boolean> {
  return TEXT.has(extname(file)) && (await stat(file)).size >= SMALLEST_WORTH_IT;
}

async function brotli(file: string): Promise<void> {
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
}

async function zipped(file: string): Promise<void> {
  await writeFile(`${file}.gz`, await promisify(gzip)(await readFile(file), { level: constants.Z_BEST_COMPRESSION }));
}
