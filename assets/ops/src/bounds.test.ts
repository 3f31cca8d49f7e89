import { describe, expect, it } from 'vitest';

type Bounds = number | { [name: string]: Bounds };

const modules = import.meta.glob<Record<string, Bounds>>('./bounds/*.ts', { eager: true });
const code = import.meta.glob<string>(['./**/*.svelte', './**/*.ts', '!./**/*.test.ts', '!./**/*.test.svelte.ts', '!./bounds/*.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
});
const sentences = import.meta.glob<Record<string, Record<string, string[]>>>('./**/messages.json', { eager: true, import: 'default' });

const valuesOf = (bounds: Bounds): number[] => (typeof bounds === 'number' ? [bounds] : Object.values(bounds).flatMap(valuesOf));
/** Small numbers are counted with everywhere. */
const known = new Set(Object.values(modules).flatMap((module) => Object.values(module)).flatMap(valuesOf).filter((value) => value >= 100));
/** The one that means something else: what a game costs. */
const NOT_A_BOUND = /const GAME_PRICE/;

/** What an input is told, however small; and where a number that is a bound is named, or said as a limit. */
const TOLD = /\b(?:min|max|minlength|maxlength)="(?![01]")\d+"/;
const NAMED = /\bconst [A-Z][A-Z_]*(?<!_MS) = |\bwithin\(|\bnumber\(\d|\b(?:low|high|min|max|minimum|maximum): /;
const SAID = /at most|up to|no more than|from .* to |characters|[자의]까지|까지의|최대|이하/i;

function inCode(text: string): string[] {
  const lines = text.replace(/<style>[\s\S]*<\/style>/, '').split('\n');
  return lines.filter((line) => !NOT_A_BOUND.test(line) && (TOLD.test(line) || (NAMED.test(line) && saysOne(line))));
}

function inSentences(all: Record<string, string>): string[] {
  return Object.values(all).filter((sentence) => SAID.test(sentence) && saysOne(sentence));
}

function saysOne(line: string): boolean {
  return [...line.matchAll(/(?<![\w.#-])\d[\d_,]*/g)].some(([literal]) => known.has(Number(literal.replace(/[_,]/g, ''))));
}

describe('a bound of the server', () => {
  it('is known here by the files that are made from its document', () => {
    expect([...known]).toEqual(expect.arrayContaining([500, 1_000, 10_000, 8_145_060]));
  });

  it('is found where it is written by hand, in code and in a sentence', () => {
    const byHand = ['const LONGEST = 500;', 'within(top, 1, 1_000)', '<input maxlength="500" />', '<input type="range" min="5" />', "t('refused', { low: 1, high: 100 })"];
    expect(byHand.flatMap(inCode)).toEqual(byHand);
    const others = ['const WAIT_MS = 1_000;', 'seconds * 1000', '<input min="0" max={top_k.maximum} />', '<style>\ni { max: 500 }\n</style>'];
    expect(others.flatMap(inCode)).toEqual([]);
    const said = ['At most 10,000 characters.', '500자까지 입력할 수 있습니다.'];
    expect(inSentences(Object.fromEntries(said.entries()))).toEqual(said);
    expect(inSentences({ fair: '1 in 8,145,060', given: 'At most {max} characters.' })).toEqual([]);
  });

  it('stands in every field for a number', () => {
    const fields = Object.entries(code).flatMap(([file, text]) => [...text.matchAll(/<(?:input|Field)\s[^>]*type="number"[^>]*>/g)].map(([field]) => ({ file, field })))
      // Who uses it says them.
      .filter(({ file }) => file.endsWith('.svelte') && file !== './lib/components/Field.svelte');
    expect(fields.length).toBeGreaterThan(5);
    expect(fields.filter(({ field }) => !field.includes('min=') || !field.includes('max=')).map(({ file, field }) => `${file}: ${field}`)).toEqual([]);
  });

  it('of a part of what is sent is known, too', () => {
    const todos = modules['./bounds/todos.ts'] ?? {};
    expect(todos).toMatchObject({ NewTodo: { repeat: { interval: { minimum: 1, maximum: 99 } } }, TodoChanges: { repeat: { weekdays: { maxItems: 7 } } } });
  });

  it('is written by hand nowhere', () => {
    const lines = Object.entries(code).flatMap(([file, text]) => inCode(text).map((line) => `${file}: ${line.trim()}`));
    const said = Object.entries(sentences).flatMap(([file, rooms]) => Object.values(rooms).flatMap((room) => Object.values(room).flatMap((texts) => inSentences(Object.fromEntries(texts.entries())))).map((sentence) => `${file}: ${sentence}`));
    expect([...lines, ...said]).toEqual([]);
  });
});
