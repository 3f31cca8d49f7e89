import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../..');

/** Buttons that switch themselves off in a way that takes the focus from whoever pressed them, or that begin work without showing it. */
function losingFocus(files: { name: string; text: string }[]): string[] {
  return files.flatMap(({ name, text }) => [...text.matchAll(/<button\b(?:\{[^}]*\}|"[^"]*"|=>|[^>"{])*>/g)]
    .filter(([tag]) => /\s(?:disabled\b|\{disabled\})|aria-busy/.test(tag)).map(([tag]) => `${name}: ${tag}`));
}

test('no button is switched off while it has the focus: `BusyButton` stays where it is', () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.svelte') && !name.endsWith('BusyButton.svelte'))
    .map((name) => ({ name, text: readFileSync(join(SOURCES, name), 'utf8') }));
  expect(sources.length).toBeGreaterThan(50);
  expect(losingFocus(sources)).toEqual([]);
});

test('a button that is switched off is found however it is written', () => {
  const text = `<button class="primary" disabled={busy}>a</button> <button {disabled}>b</button> <button onclick={() => go(1)} disabled>c</button>
    <button
      type="submit"
      disabled={saving || !ready}>d</button>
    <button aria-busy={busy}>e</button> <button aria-disabled={index === 0}>f</button> <input disabled={full}> <BusyButton busy={saving}>g</BusyButton>`;
  expect(losingFocus([{ name: 'planted', text }]).length).toBe(5);
});
