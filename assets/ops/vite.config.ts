import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { precompress } from './build/precompress.ts';

const SERVER = process.env['HANOK_OPS'] ?? 'http://127.0.0.1:8420';

export default defineConfig({
  plugins: [svelte(), precompress()],
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
        // What every page needs comes in two files instead of forty: a household's HTTP/1.1 line sends six at a time.
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules|[\\/]src[\\/]lib[\\/](?!lottery)/, priority: 2 },
            { name: 'shell', test: /[\\/]src[\\/](shell[\\/](Shell|Navigation|TopBar|Preferences|Banners)\.svelte|routes\.ts)/, priority: 1 },
            { name: 'lottery-parts', test: /[\\/]src[\\/]lib[\\/]lottery[\\/](?!.*worker)/ },
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
