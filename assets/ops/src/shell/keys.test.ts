import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OFFERING } from '../offers';
import { KEYS } from './keys';

const SOURCES = join(import.meta.dirname, '..');
/** As they stand on a keyboard. */
const NAMES: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };

/** The keys that a file listens to, but for those that press a button or send a form everywhere. */
function keysIn(text: string): string[] {
  if (!/event\.(?:key|code)\b/.test(text)) return [];
  const found = [...text.matchAll(/\b(Arrow(?:Up|Down|Left|Right)|Key[A-Z]|Page(?:Up|Down)|Delete|Escape)\b|\b(Home|End)\b(?=: |')/g)].map(([key]) => key);
  return [...new Set(found)].map((key) => NAMES[key] ?? key.replace(/^Key/, ''));
}

test('the window of keys names every key that a page, a window or a chart listens to', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.svelte'));
  const silent = files.flatMap((name) => {
    const keys = keysIn(readFileSync(join(SOURCES, name), 'utf8'));
    const own = OFFERING.find(({ room }) => name.startsWith(`pages/${room}/`))?.pageKeys ?? [];
    const named = [...own, ...KEYS].flatMap(({ keys }) => keys.map((key) => key.replace('Ctrl+', '')));
    return keys.filter((key) => !named.includes(key)).map((key) => `${name}: ${key}`);
  });
  // `Ctrl+K` stands beside `/`, which does the same.
  expect(silent.filter((found) => found !== 'shell/Shell.svelte: K')).toEqual([]);
});
