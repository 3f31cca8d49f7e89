import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { messages } from './build/messages.ts';
import { precompress } from './build/precompress.ts';

const SERVER = process.env['HANOK_OPS'] ?? 'http://127.0.0.1:8420';

/** The folder of a module below `src/pages`. */
const inPages = (id: string) => /[\\/]src[\\/]pages[\\/](.+)[\\/]/.exec(id)?.[1];

export default defineConfig({
  plugins: [svelte(), messages(), precompress()],
  // Nothing of the output may need an exception in `script-src 'self'`: no inlined module, no polyfill script.
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome123', 'safari17.5', 'firefox120'],
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // A household's HTTP/1.1 line sends six files at a time, so what is loaded together comes in one file.
        codeSplitting: {
          groups: [
            // What pages draw with; most pages show no chart.
            { name: 'charts', test: /[\\/]src[\\/]lib[\\/]charts[\\/]/, priority: 3, includeDependenciesRecursively: false },
            // What every page needs, with what the sections say about themselves.
            { name: 'base', test: /node_modules|[\\/]src[\\/](lib|routes|sections|shell[\\/]actions|pages[\\/][^\\/]+[\\/]section\.ts)/, priority: 2 },
            // What several pages share of one folder, when that is worth a file; what is smaller comes with the rest of its section.
            { name: (id) => inPages(id)?.replaceAll(/[\\/]/g, '-') ?? null, minShareCount: 2, minSize: 6_000, priority: 1, includeDependenciesRecursively: false },
            { name: (id) => inPages(id)?.split(/[\\/]/)[0] ?? null, minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': SERVER, '/health': SERVER }, fs: { allow: ['..'] } },
  preview: { proxy: { '/api': SERVER, '/health': SERVER } },
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
  test: { environment: './build/test-environment.ts', include: ['src/**/*.test.ts', 'src/**/*.test.svelte.ts'] },
});
