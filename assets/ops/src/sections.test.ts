import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { shapes } from './lib/components/icons';
import { OFFERING } from './offers';
import { byPlace, inOrder, pageOf, SECTIONS, sectionOf } from './sections';

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(svelte|ts)$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(import.meta.dirname, name), 'utf8') }));
const folders = readdirSync(join(import.meta.dirname, 'pages'), { withFileTypes: true }).filter((entry) => entry.isDirectory());

test('every folder of pages is a section', () => {
  expect(SECTIONS.map(({ room }) => room).sort()).toEqual(folders.map(({ name }) => name).sort());
});

test('what a section offers on every page is found in its folder, and says nothing that the section says', () => {
  const declared = folders.map(({ name }) => name).filter((name) => sources.some((source) => source.name === join('pages', name, 'offers.ts')));
  const own = new Set(SECTIONS.flatMap(Object.keys));
  const offers = OFFERING.map((section) => ({ room: section.room, keys: Object.keys(section).filter((key) => !own.has(key)) }));
  expect(offers.filter(({ keys }) => keys.length > 0).map(({ room }) => room).sort()).toEqual(declared.sort());
  expect(OFFERING.map(({ room }) => room)).toEqual(SECTIONS.map(({ room }) => room));
});

test('the sections stand in their order, each at an address and under keys of its own', () => {
  const unique = (values: unknown[]) => expect(new Set(values).size).toBe(values.length);
  unique(SECTIONS.map(({ path }) => path));
  unique(SECTIONS.map(({ order }) => order));
  unique([...SECTIONS, ...OFFERING.flatMap(({ actions = [] }) => actions)].flatMap(({ keys }) => keys ?? []));
  expect(inOrder(SECTIONS.toReversed())).toEqual(SECTIONS);
});

test('what stands by itself comes first, then the groups, each by its own order, and behind them all what is always in reach', () => {
  const made = [['last', 1], ['work', 2], ['everyday', 9], ['first', 5], ['money', 7], ['everyday', 3]] as const;
  const sections = inOrder(made.map(([group, order]) => ({ group, order })));
  expect(sections.map(({ order }) => order)).toEqual([5, 7, 3, 9, 2, 1]);
  expect(byPlace(sections).map(({ place, sections }) => [place, sections.length])).toEqual([['first', 1], ['money', 1], ['everyday', 2], ['work', 1], ['last', 1]]);
  expect([SECTIONS[0]!.path, SECTIONS.at(-1)!.path]).toEqual(['/', '/system']);
});

test('an address belongs to its section, and only whole parts of it count', () => {
  const [first, second] = [SECTIONS[0]!, SECTIONS[1]!];
  expect(sectionOf('/')).toBe(first);
  expect(sectionOf(second.path)).toBe(second);
  expect(sectionOf(`${second.path}/below`)).toBe(second);
  expect(sectionOf(`${second.path}beside`)).toBeUndefined();
});

test('an address within a section is its own page, an inner one, or none', () => {
  const section = SECTIONS.find(({ inner }) => inner)!;
  const inner = section.inner![0]!;
  expect(pageOf(section, section.path + inner.path)).toEqual({ ...inner, params: {} });
  expect([section.path, `${section.path}/`].map((address) => pageOf(section, address)?.name)).toEqual([section.name, section.name]);
  expect(pageOf(section, `${section.path}/no-page`)).toBeUndefined();
  const one = { path: '/:id', name: section.name, page: section.page } as const;
  const withOne = { ...section, inner: [one, inner] };
  expect(pageOf(withOne, `${section.path}/7`)).toEqual({ ...one, params: { id: '7' } });
  expect(pageOf(withOne, `${section.path}/%EC%9A%B0%EC%9C%A0/`)?.params).toEqual({ id: '우유' });
  expect(pageOf(withOne, section.path + inner.path)?.path).toBe(inner.path);
  expect(pageOf(withOne, `${section.path}/7/8`)).toBeUndefined();
});

test('every address that the sources name is a page', () => {
  const isPage = (address: string) => {
    const section = sectionOf(address);
    return section !== undefined && pageOf(section, address) !== undefined;
  };
  const named = sources.filter(({ name }) => !name.includes('.test.'))
    .flatMap(({ name, text }) => [...text.replaceAll(/\/\*\*[^]*?\*\//g, '').matchAll(/(?:href=|href: |open: |open\(|navigate\(|assign\()["'`](\/[^"'`?#]*)/g)]
      .map(([, address]) => ({ name, address: address! })));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ address }) => !isPage(address.replaceAll(/\$?\{[^}]*\}/g, '1')))).toEqual([]);
});

test('what belongs to a section lies in its folder: nothing of `lib` or `shell` is named like one', () => {
  const rooms = SECTIONS.map(({ room }) => room);
  const shared = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) => /^(lib|shell)[\\/]/.test(name));
  expect(namedLikeOneOf(rooms, shared)).toEqual([]);
  const planted = ['lib/todos', 'lib/todos/groups.ts', 'lib/charts/lottery.svelte.ts', 'lib/todos-of-old.ts', 'lib/charts'];
  expect(namedLikeOneOf(['lottery', 'todos'], planted)).toEqual(['lib/todos', 'lib/todos/groups.ts', 'lib/charts/lottery.svelte.ts']);
});

test('what a section is known by lies in its folder: no shared icon is named like one', () => {
  expect(namedLikeOneOf(SECTIONS.map(({ room }) => room), Object.keys(shapes))).toEqual([]);
  expect(SECTIONS.filter(({ icon }) => !icon.startsWith('M')).map(({ room }) => room)).toEqual([]);
});

test('a section names no other, and what is shared names none', () => {
  expect(reachesIntoSections(sources)).toEqual([]);
  const planted = [
    { name: 'pages/today/Today.svelte', text: "import Card from '../todos/Card.svelte';\nimport type { T } from '../../lib/t';" },
    { name: 'pages/todos/Todos.svelte', text: "import { a } from './groups';\nconst page = () => import('../../pages/todos/Row.svelte');" },
    { name: 'lib/search.ts', text: "export * from '../pages/todos/load';" },
  ];
  expect(reachesIntoSections(planted)).toEqual(['pages/today/Today.svelte: ../todos/Card.svelte', 'lib/search.ts: ../pages/todos/load']);
});

test('no file needs itself by way of others, neither at once nor later', () => {
  expect(circles(sources)).toEqual([]);
  const planted = [
    { name: 'lib/a.ts', text: "import { b } from './b.svelte';\nimport type { C } from './c';" },
    { name: 'lib/b.svelte.ts', text: "const later = () => import('./c');" },
    { name: 'lib/c.ts', text: "export { a } from './a';" },
    { name: 'lib/d.ts', text: "import type { E } from './e';" },
    { name: 'lib/e.ts', text: "import { d } from './d';" },
  ];
  expect(circles(planted)).toEqual(['lib/a.ts > lib/b.svelte.ts > lib/c.ts > lib/a.ts']);
});

/** The paths of which a folder or the file, without its endings, is called like one of `rooms`. */
function namedLikeOneOf(rooms: string[], paths: string[]): string[] {
  return paths.filter((path) => path.split(/[\\/]/).some((part) => rooms.includes(part.split('.')[0]!)));
}

/** Imports that reach into the folder of a section from outside it. */
function reachesIntoSections(files: { name: string; text: string }[]): string[] {
  return files.flatMap(({ name, text }) => [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].flatMap(([, path]) => {
    const section = /^pages[\\/][^\\/]+[\\/]/.exec(join(dirname(name), path!))?.[0];
    return section && !join(name).startsWith(section) ? [`${name}: ${path}`] : [];
  }));
}

/** The ways that lead from a file back to it along what it imports, each once. Types are no need, and a file may draw itself within itself. */
function circles(files: { name: string; text: string }[]): string[] {
  const names = new Set(files.map(({ name }) => name));
  const needs = new Map(files.map(({ name, text }) => [name, neededBy(name, text).flatMap((path) => [path, `${path}.ts`].filter((file) => file !== name && names.has(file)))]));
  const done = new Set<string>();
  const from = (name: string, way: string[]): string[] => {
    const start = way.indexOf(name);
    if (start >= 0) return [[...way.slice(start), name].join(' > ')];
    if (done.has(name)) return [];
    const found = (needs.get(name) ?? []).flatMap((next) => from(next, [...way, name]));
    done.add(name);
    return found;
  };
  return [...names].flatMap((name) => from(name, []));
}

/** The paths of what a file imports, at once or later. */
function neededBy(name: string, text: string): string[] {
  const code = text.replaceAll(/^\s*(?:import|export) type [^;]*;/gm, '');
  return [...code.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) => join(dirname(name), path!));
}
