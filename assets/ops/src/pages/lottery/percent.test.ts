import { expect, test } from 'vitest';
import all from './messages.json';

test('a percentage stands in one form, as numbers are written everywhere: 95%', () => {
  const apart = Object.entries(all.pages).filter(([, texts]) => texts.some((text) => /[\d}]\s%/.test(text)));
  expect(apart).toEqual([]);
});
