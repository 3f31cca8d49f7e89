import type { Plugin } from 'vite';

/** Parts of the framework that this app never uses, by the end of their paths, and what stands in their place. */
const UNUSED: Record<string, string> = {
  // What wraps components into custom elements: the framework's one entrance brings it along.
  '/internal/client/dom/elements/custom-element.js': 'export const create_custom_element = undefined;',
  // What takes over a page that a server has rendered: every block asks whether that is under way, and it never is.
  '/internal/client/dom/hydration.js': `
    export const hydrating = false;
    export const hydrate_node = null;
    const nothing = () => {};
    export { ${['set_hydrating', 'set_hydrate_node', 'hydrate_next', 'reset', 'hydrate_template', 'next', 'skip_nodes', 'read_hydration_instruction'].map((name) => `nothing as ${name}`).join(', ')} };`,
  // What a component of an earlier kind, one that waits in its markup, or one that is traced would turn on.
  '/internal/flags/index.js': ['async', 'legacy', 'tracing'].map((name) => `export const ${name}_mode_flag = false;`).join('\n'),
};

/** By these a compiled component keeps its place in what a server has rendered, after each of its elements. */
const KEEPING_PLACE = /^\s*\$\.(?:reset\(\w+\)|next\(\d*\));$/gm;

/** Leaves out of the built app what it never uses of the framework. */
export function framework(): Plugin[] {
  return [
    {
      name: 'framework-parts',
      apply: 'build',
      enforce: 'pre',
      load(id) {
        const end = id.includes('/svelte/src/') ? Object.keys(UNUSED).find((end) => id.endsWith(end)) : undefined;
        return end && UNUSED[end];
      },
    },
    {
      name: 'framework-calls',
      apply: 'build',
      enforce: 'post',
      // Lines stay where they are.
      transform: (code, id) => (id.endsWith('.svelte') ? { code: code.replace(KEEPING_PLACE, ''), map: null } : undefined),
    },
  ];
}
