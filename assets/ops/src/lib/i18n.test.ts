import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fill } from './i18n.svelte';

const SOURCES = join(import.meta.dirname, '..');

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(svelte|ts)$/.test(name) && !name.includes('.test.') && !name.endsWith('.d.ts'));
const sources = files.map((name) => ({ name, text: readFileSync(join(SOURCES, name), 'utf8') }));

function catalogue(language: 'ko' | 'en'): Map<string, string> {
  const folder = join(SOURCES, 'messages', language);
  return new Map(readdirSync(folder).flatMap((file) => {
    const area = file.replace('.json', '');
    const messages = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>;
    return Object.entries(messages).map(([key, text]) => [`${area}.${key}`, text] as const);
  }));
}

const korean = catalogue('ko');
const english = catalogue('en');
const areas = [...new Set([...korean.keys()].map((key) => key.split('.')[0]!))];
const keyPattern = new RegExp(`['"\`]((?:${areas.join('|')})\\.[A-Za-z0-9_.]+)['"\`]`, 'g');
const prefixPattern = new RegExp(`\`((?:${areas.join('|')})\\.[A-Za-z0-9_.]*)\\$\\{`, 'g');

describe('the two catalogues', () => {
  test('have the same keys', () => {
    expect([...english.keys()].sort()).toEqual([...korean.keys()].sort());
  });

  test('use the same placeholders in every sentence', () => {
    const names = (text: string) => [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();
    for (const [key, text] of korean) expect({ key, names: names(english.get(key) ?? '') }).toEqual({ key, names: names(text) });
  });

  test('have a sentence for every key that the sources name', () => {
    const missing = sources.flatMap(({ name, text }) =>
      [...text.matchAll(keyPattern)].map(([, key]) => key!).filter((key) => !korean.has(key)).map((key) => `${name}: ${key}`));
    expect(missing).toEqual([]);
  });

  test('have no sentence that no source names', () => {
    const named = new Set(sources.flatMap(({ text }) => [...text.matchAll(keyPattern)].map(([, key]) => key!)));
    const prefixes = sources.flatMap(({ text }) => [...text.matchAll(prefixPattern)].map(([, prefix]) => prefix!));
    const unused = [...korean.keys()].filter((key) => !named.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)));
    expect(unused).toEqual([]);
  });

  test('are loaded where they are used: a page speaks its own area and the shell', () => {
    const foreign = sources.flatMap(({ name, text }) => {
      const own = /^(?:pages|lib)\/(today|todos|system|lottery)\//.exec(name)?.[1];
      return [...text.matchAll(keyPattern), ...text.matchAll(prefixPattern)].map(([, key]) => key!)
        .filter((key) => !key.startsWith('shell.') && !key.startsWith(`${own}.`)).map((key) => `${name}: ${key}`);
    });
    expect(foreign).toEqual([]);
  });

  test('leave no Korean in English and no sentence empty', () => {
    for (const [key, text] of english) expect(key !== 'shell.action.language' && /[가-힣]/.test(text), key).toBe(false);
    for (const [key, text] of [...korean, ...english]) expect(text.trim(), key).not.toBe('');
  });
});

describe('placeholders', () => {
  test('are replaced by their values', () => {
    expect(fill('{n}회까지 {time}', { n: 1246, time: '1일' })).toBe('1246회까지 1일');
  });

  test('choose a form by number', () => {
    const text = '{count} {count|task|tasks}';
    expect([0, 1, 2].map((count) => fill(text, { count }))).toEqual(['0 tasks', '1 task', '2 tasks']);
  });

  test('stay visible when their value is missing', () => {
    expect(fill('hello {who}', {})).toBe('hello {who}');
  });
});

test('sources hold no Korean outside the catalogues, the formats, the reading of days and the language names', () => {
  const allowed = /(^|\/)(format|search|types|todos\/due)\.ts$/;
  const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '').replace(/<!--[\s\S]*?-->/g, '');
  const found = sources.filter(({ name, text }) => !allowed.test(name) && /[가-힣]/.test(withoutComments(text).replaceAll('한국어', '')));
  expect(found.map(({ name }) => name)).toEqual([]);
});
