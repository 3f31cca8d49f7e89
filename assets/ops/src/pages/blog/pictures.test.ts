import { expect, test } from 'vitest';
import { apart, picturesIn, withPicture } from './pictures';

const given = (types: string[], ...kinds: string[]) => ({ types, files: kinds.map((type) => ({ type })) }) as unknown as DataTransfer;

test('a picture stands in a paragraph of its own, with its words to be typed over', () => {
  for (const [text, at, expected] of [
    ['', 0, '![설명](/p)\n'],
    ['앞\n뒤', 1, '앞\n\n![설명](/p)\n\n뒤'],
    ['앞 뒤', 2, '앞\n\n![설명](/p)\n\n뒤'],
    ['앞\n\n', 3, '앞\n\n![설명](/p)\n'],
    ['뒤', 0, '![설명](/p)\n\n뒤'],
  ] as const) {
    const shown = withPicture(text, at, '설명', '/p');
    expect(shown.text).toBe(expected);
    expect(shown.text.slice(shown.from, shown.to)).toBe('설명');
  }
});

test('of what is pasted pictures are taken, unless it is text as well', () => {
  expect(picturesIn(given(['Files'], 'image/png', 'text/csv', 'image/heic')).map(({ type }) => type)).toEqual(['image/png', 'image/heic']);
  expect(picturesIn(given(['text/plain', 'Files'], 'image/png'))).toEqual([]);
  expect(picturesIn(null)).toEqual([]);
});

test('of what is dropped pictures are taken and all else is named', () => {
  const files = [new File([''], 'a.png', { type: 'image/png' }), new File([''], '글.md', { type: 'text/markdown' }), new File([''], '폴더')];
  const { pictures, others } = apart(files);
  expect([pictures.map(({ name }) => name), others]).toEqual([['a.png'], ['글.md', '폴더']]);
});
