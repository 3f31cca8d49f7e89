import type { Environment } from 'vitest/environments';

/** Plain Node, but with the sources compiled as for a browser: effects run, which Svelte leaves out on a server. */
export default {
  name: 'client',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => undefined }),
} satisfies Environment;
