import { describe, expect, it } from 'vitest';

const code = import.meta.glob<string>(['./**/*.svelte', './**/*.ts', '!./**/*.test.ts', '!./**/*.test.svelte.ts'], { eager: true, query: '?raw', import: 'default' });

/**
 * What comes before the first page: whatever is loaded together with `main.ts`, and nothing else. What is added here counts for
 * every page, so it is added by name; the rest of a section comes with its pages (`import()`).
 */
const FIRST = `
  App.svelte main.ts routes.ts sections.ts
  lib: answer.svelte.ts api.ts client.ts condition.svelte.ts device-clocks.ts events.svelte.ts files.ts going.svelte.ts heard-again.svelte.ts
  lib: house.svelte.ts i18n.svelte.ts idle.ts next-step.ts not-loaded.ts now.svelte.ts number.ts offline-cache.ts own-work.svelte.ts page-title.svelte.ts
  lib: panels.svelte.ts particles.ts persisted.svelte.ts popover.ts problems.ts resource.svelte.ts reveal.ts router.svelte.ts scroll.ts section.ts shared-stream.ts
  lib: shell-kept.ts shortcuts.svelte.ts localized.ts stream.ts theme.svelte.ts toasts.svelte.ts unsent.ts waiting.ts when.ts
  lib/components: Bounds.svelte Broken.svelte Problem.svelte Shape.svelte Told.svelte shapes.ts
  shell: Bounded.svelte Dock.svelte FailedWindow.svelte Later.svelte Mark.svelte Nested.svelte Preferences.svelte Rail.svelte Shell.svelte
  shell: TabBar.svelte TopBar.svelte marks.svelte.ts parts.svelte.ts running.svelte.ts tabs.svelte.ts
`;
const LIBRARIES = ['svelte', 'svelte/reactivity', 'virtual:messages'];
/** Every section says what it is before any page. */
const SECTION = /^pages\/[^/]+\/section\.ts$/;

function named(list: string): string[] {
  return list.trim().split('\n').flatMap((line) => {
    const [, folder = '', names = ''] = /^(?:(\S+): )?(.*)$/.exec(line.trim()) ?? [];
    return names.split(' ').map((name) => (folder ? `${folder}/${name}` : name));
  });
}

/** What is loaded with a module, in the words of its imports: what is only a type and what is loaded later do not count. */
function importsOf(text: string): string[] {
  const found = text.matchAll(/^\s*(?:import|export)\s+(?!type\b)(?:[^'";()]*?\sfrom\s+)?'([^']+)'/gm);
  return [...found].map(([, from]) => from ?? '');
}

/** The file that `from` means in `file`; a library, a style or a picture is none. */
function fileOf(file: string, from: string): string | undefined {
  const [folder, step] = [file.split('/').slice(0, -1), from.split('/')];
  for (const part of step) {
    if (part === '..') folder.pop();
    else if (part !== '.') folder.push(part);
  }
  const path = folder.join('/');
  return [path, `${path}.ts`].find((one) => `./${one}` in code);
}

/** All that is loaded with `files`, and the libraries that they name. */
function loadedWith(files: string[]): { modules: string[]; libraries: string[] } {
  const [modules, libraries] = [new Set(files), new Set<string>()];
  for (const file of modules) {
    for (const from of importsOf(code[`./${file}`] ?? '')) {
      const next = from.startsWith('.') ? fileOf(file, from) : undefined;
      if (next) modules.add(next);
      else if (!from.startsWith('.')) libraries.add(from);
    }
  }
  return { modules: [...modules].sort(), libraries: [...libraries].sort() };
}

describe('what comes before the first page', () => {
  it('is found by its imports, in whatever form they are written', () => {
    const text = "import { a } from './a';\nimport './b.css';\n  import {\n  c,\n  d } from '../c';\nexport { e } from './e';\nimport type { F } from './f';\nconst later = () => import('./g');\n";
    expect(importsOf(text)).toEqual(['./a', './b.css', '../c', './e']);
  });

  it('is what is listed, and the sections', () => {
    const sections = Object.keys(code).map((file) => file.slice(2)).filter((file) => SECTION.test(file));
    expect(sections.length).toBeGreaterThan(4);
    const { modules, libraries } = loadedWith(['main.ts', ...sections]);
    expect(modules.filter((file) => !SECTION.test(file))).toEqual(named(FIRST).sort());
    expect(libraries).toEqual(LIBRARIES);
  });
});
