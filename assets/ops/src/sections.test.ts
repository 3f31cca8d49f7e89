import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SECTIONS, sectionOf } from './sections';

const folders = readdirSync(join(import.meta.dirname, 'pages'), { withFileTypes: true }).filter((entry) => entry.isDirectory());

test('every folder of pages is a section', () => {
  expect(SECTIONS.map(({ room }) => room).sort()).toEqual(folders.map(({ name }) => name).sort());
});

test('the sections stand in their order, each at an address and under keys of its own', () => {
  const unique = (values: unknown[]) => expect(new Set(values).size).toBe(values.length);
  unique(SECTIONS.map(({ path }) => path));
  unique(SECTIONS.map(({ order }) => order));
  unique([...SECTIONS, ...SECTIONS.flatMap(({ actions = [] }) => actions)].flatMap(({ keys }) => keys ?? []));
  expect(SECTIONS.map(({ order }) => order)).toEqual(SECTIONS.map(({ order }) => order).sort((a, b) => a - b));
});

test('an address belongs to its section, and only whole parts of it count', () => {
  const [first, second] = [SECTIONS[0]!, SECTIONS[1]!];
  expect(sectionOf('/')).toBe(first);
  expect(sectionOf(second.path)).toBe(second);
  expect(sectionOf(`${second.path}/below`)).toBe(second);
  expect(sectionOf(`${second.path}beside`)).toBeUndefined();
});

test('every address that the sources name is a page', () => {
  const pages = SECTIONS.flatMap(({ path, inner = [] }) => [path, ...inner.map((page) => path + page.path)]);
  const named = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(svelte|ts)$/.test(name) && !name.includes('.test.'))
    .flatMap((name) => [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/(?:href=|href: |open: |open\(|navigate\(|assign\()["'`](\/[^"'`?#]*)/g)]
      .map(([, address]) => ({ name, address: address! })));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ address }) => !pages.includes(address as '/'))).toEqual([]);
});
