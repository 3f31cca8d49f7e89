import { expect, test } from 'vitest';
import { decimal, rounded, saleOf } from './decimal';

test('what is no plain decimal is none', () => {
  expect(['1.5', '-0.25', '', 'abc', '1,000', '1.'].map((text) => decimal(text))).toEqual([15_000_000_000n, -2_500_000_000n, undefined, undefined, undefined, 10_000_000_000n]);
});

test('halves go away from zero', () => {
  expect([rounded(decimal('2.5')!, 0), rounded(decimal('-2.5')!, 0), rounded(decimal('74.105')!, 2), rounded(decimal('0.004')!, 2)]).toEqual(['3', '-3', '74.11', '0.00']);
});

test('a sale comes to what the server reckons, by the same examples, worked out by hand', () => {
  // 7 × 71,500 − 70 − 1,001 = 499,429; less 7 × 65,300 = 457,100 leaves 42,329.
  expect(saleOf({ quantity: '7', price: '71500', fees: '70', tax: '1001', cost: '65300', digits: 0, rate: '1', costRate: '1' })).toEqual({ left: '499429', profit: '42329', profitKrw: 42_329 });
  // 2.5 × 210.40 − 1.27 = 524.73 dollars, × 1,391.2 = 730,004.376; 2.5 × 180.25 × 1,302.7 = 587,029.1875.
  const abroad = { quantity: '2.5', price: '210.40', fees: '1.27', tax: '', cost: '180.25', digits: 2 };
  expect(saleOf({ ...abroad, rate: '1391.2', costRate: '1302.7' })).toEqual({ left: '524.73', profit: '74.11', profitKrw: 142_975 });
  expect(saleOf({ ...abroad, rate: null, costRate: null })?.profitKrw).toBeNull();
  expect(saleOf({ ...abroad, quantity: '' , rate: null, costRate: null })).toBeUndefined();
});
