import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { byDay, byInstant } from './order';

test('instants stand in the order of time, however many digits their seconds have', () => {
  const later = ['2026-11-02T00:00:00Z', '2026-11-02T00:00:00.000001Z', '2026-11-02T00:00:00.5Z', '2026-11-02T00:00:01Z', '2026-12-01T00:00:00Z'];
  expect([...later].reverse().sort(byInstant)).toEqual(later);
  expect(byInstant(later[0]!, later[0]!)).toBe(0);
});

test('days stand in their order, what has none behind them', () => {
  expect([null, '2026-12-01', '2026-11-02', null].sort(byDay)).toEqual(['2026-11-02', '2026-12-01', null, null]);
});

test('nothing is sorted by the language of the browser; a table goes by that of the screen, when somebody presses its head', () => {
  const byLanguage = /\b(localeCompare|Collator)\b/;
  const source = join(import.meta.dirname, '..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(svelte|ts)$/.test(name) && !name.includes('.test.') && name !== 'lib/components/table.ts');
  expect(files.filter((name) => byLanguage.test(readFileSync(join(source, name), 'utf8')))).toEqual([]);
  expect(byLanguage.test('names.sort((a, b) => a.localeCompare(b))')).toBe(true);
});
