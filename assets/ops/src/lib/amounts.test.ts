import { expect, test } from 'vitest';
import { grouped, plain } from './amounts';

test('an amount is sent without groups, signs of money and what stands behind it', () => {
  expect(['1,250,000원', ' 12.50 ', '₩1,000', '0012', '12.', '100주', '−5', '0.5', '0'].map(plain)).toEqual(['1250000', '12.50', '1000', '12', '12', '100', '-5', '0.5', '0']);
});

test('what is no amount is not guessed at: the server refuses it', () => {
  expect(['abc', '1.2.3', ''].map(plain)).toEqual(['abc', '1.2.3', '']);
  expect(['abc', '1.2.3', ''].map(grouped)).toEqual(['abc', '1.2.3', '']);
});

test('an amount is shown in groups, and without zeros at its end', () => {
  expect([1250000, '65300.50', '0.12345678', '1000.00', '999', null, '-1234.5'].map(grouped)).toEqual(['1,250,000', '65,300.5', '0.12345678', '1,000', '999', '', '-1,234.5']);
});
