import { expect, test } from 'vitest';
import { inLanguage } from '../../lib/catalogue';
import { fill } from '../../lib/i18n.svelte';
import around from '../../shell/messages.json';
import all from './messages.json';

const [shell, today] = [inLanguage(around.shell, 'ko'), inLanguage(all.today, 'ko')];
const [system, english] = [inLanguage(all.pages, 'ko'), inLanguage(all.pages, 'en')];

test('to return to a backup is called one thing everywhere, and not what takes back the last change', () => {
  const about = Object.entries({ ...system, ...today, ...shell }).filter(([key, text]) => /^(?:backup|restore|undo|file)\.|damaged/.test(key) || text.includes('백업'));
  expect(about.length).toBeGreaterThan(60);
  expect(about.filter(([, text]) => /되돌[리렸려아]/.test(text))).toEqual([]);
  expect(shell.undo).toBe('되돌리기');
});

test('what is quoted has the marks of a quotation at both of its ends', () => {
  const quotes = [english, system].flatMap((texts) => Object.values(texts)).flatMap((text) => text.match(/‘[^’]*’?/g) ?? []);
  expect(quotes.length).toBeGreaterThan(0);
  expect(quotes.filter((quote) => !quote.endsWith('’'))).toEqual([]);
});

test('one failure is not called several in a row', () => {
  expect([1, 3].map((count) => fill(system['provider.failure'], { count }))).toEqual(['1회 실패', '연속 3회 실패']);
});
