import type { Plugin } from 'vite';

const WRAPPER = 'dom/elements/custom-element.js';

/** Leaves out what wraps components into custom elements: the app has none, and the framework's one entrance brings it along. */
export function customElements(): Plugin {
  return {
    name: 'custom-elements',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id, importer) => (id.endsWith(WRAPPER) && importer?.includes('svelte') ? `\0${WRAPPER}` : undefined),
    load: (id) => (id === `\0${WRAPPER}` ? 'export const create_custom_element = undefined;' : undefined),
  };
}
