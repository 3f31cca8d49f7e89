import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { messages } from './build/messages.ts';
import { precompress } from './build/precompress.ts';
import { serviceWorker } from './build/service-worker.ts';

const SERVER = process.env['HANOK_OPS'] ?? 'http://127.0.0.1:8420';

/** The folder of a module below `src/pages`. */
const inPages = (id: string) => /[\\/]src[\\/]pages[\\/](.+)[\\/]/.exec(id)?.[1];

/** Parts of the framework without which the shell stands: through its one entrance all of it counts as used from the start. */
const PAGES_ONLY = /[\\/]svelte[\\/]src[\\/](?:reactivity[\\/]set|internal[\\/]client[\\/]dom[\\/](?:blocks[\\/]svelte-element|elements[\\/]bindings[\\/](?:input|select)))/;

const PARTS = /node_modules|[\\/]src[\\/]lib[\\/]|[\\/]src[\\/]pages\.css$|[\\/]src[\\/]bounds[\\/]/;

/** What belongs to no section; also what one offers on every page, which otherwise would draw the rest of the section after it. */
const isPart = (id: string, importers: readonly string[]) => PARTS.test(id) || importers.some((file) => file.endsWith('/offers.ts'));

export default defineConfig({
  plugins: [svelte(), messages(), precompress(), serviceWorker()],
  // Nothing of the output may need an exception in `script-src 'self'`: no inlined module, no polyfill script.
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome123', 'safari17.5', 'firefox120'],
    reportCompressedSize: false,
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: PAGES_ONLY, sideEffects: false }] },
      output: {
        // A household's HTTP/1.1 line sends six files at a time, so what is loaded together comes in one file.
        codeSplitting: {
          groups: [
            // What pages draw with; most pages show no chart.
            { name: 'charts', test: /[\\/]src[\\/]lib[\\/]charts[\\/]/, priority: 3, includeDependenciesRecursively: false },
            // What waits to be added; most visits add nothing.
            { name: 'outbox', test: /[\\/]src[\\/]lib[\\/](?:outbox\.svelte|losses)\.ts$/, priority: 3, includeDependenciesRecursively: false },
            { name: 'svelte', test: PAGES_ONLY, priority: 4, includeDependenciesRecursively: false },
            // The shell: what stands before the first page, and nothing else. Whatever is added to it counts for every page.
            { name: 'shell', tags: ['$initial'], priority: 3 },
            // What pages share of what belongs to no section, and the bounds of requests: what reads them while it is loaded must
            // find them there, so they come in no file that may wait for the one that reads them.
            { name: (id, bundle) => (isPart(id, bundle.getModuleInfo(id)?.importers ?? []) ? 'parts' : null), minShareCount: 2, priority: 2, includeDependenciesRecursively: false },
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
