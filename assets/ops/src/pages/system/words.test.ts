import { expect, test } from 'vitest';
import shell from '../../shell/messages/shell.ko.json';
import english from './messages/system.en.json';
import system from './messages/system.ko.json';
import today from './messages/today.ko.json';

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
  expect(system['provider.failure']).toBe('{count}번 {count|실패|연달아 실패}');
});
