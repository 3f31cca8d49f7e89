import { expect, test } from 'vitest';
import english from './messages/lottery.en.json';
import korean from './messages/lottery.ko.json';

test('a percentage stands in one form, as numbers are written everywhere: 95%', () => {
  const apart = [...Object.entries(korean), ...Object.entries(english)].filter(([, text]) => /[\d}]\s%/.test(text));
  expect(apart).toEqual([]);
});
