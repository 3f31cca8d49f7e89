import { describe, expect, test } from 'vitest';
import samples from './money.samples.json';
import { direction, money, moneyInWords, quantity, signedMoney, signedPercent } from './money';

describe('an exact amount', () => {
  test.each([
    ['128450300', 'KRW', '128,450,300원', '₩128,450,300'],
    ['-5000', 'KRW', '−5,000원', '−₩5,000'],
    ['1391.2', 'USD', '$1,391.20', '$1,391.20'],
    [-0.5, 'USD', '−$0.50', '−$0.50'],
    ['15000', 'JPY', '¥15,000', '¥15,000'],
    ['99.999', 'EUR', '€100.00', '€100.00'],
    ['7.5', 'CAD', 'CA$7.50', 'CA$7.50'],
    ['7.5', 'CHF', 'CHF 7.50', 'CHF 7.50'],
    ['1.2345', 'KWD', 'KWD 1.235', 'KWD 1.235'],
    ['-0.001', 'USD', '$0.00', '$0.00'],
    ['12345678901234567.89', 'USD', '$12,345,678,901,234,567.89', '$12,345,678,901,234,567.89'],
  ])('of %s %s has the decimals of its currency', (amount, currency, ko, en) => {
    expect([money(amount, currency, 'ko'), money(amount, currency, 'en')]).toEqual([ko, en]);
  });
});

describe('an amount', () => {
  test.each(samples as [string, string, string, string][])('of %s %s is written as the server writes it', (amount, currency, ko, en) => {
    expect([money(amount, currency, 'ko'), money(amount, currency, 'en')]).toEqual([ko, en]);
  });
});

describe('a change', () => {
  test('carries its sign, nothing and what rounds to nothing do not', () => {
    expect(signedMoney('12', 'USD', 'ko')).toBe('+$12.00');
    expect(signedMoney('-12', 'USD', 'en')).toBe('−$12.00');
    expect(signedMoney('45000', 'KRW', 'ko')).toBe('+45,000원');
    expect(['0', '0.001', '-0.001'].map((amount) => signedMoney(amount, 'USD', 'ko'))).toEqual(['$0.00', '$0.00', '$0.00']);
    expect([0.0084, -0.0021, 0, 0.00001].map((share) => signedPercent(share))).toEqual(['+0.84%', '−0.21%', '0.00%', '0.00%']);
  });
});

describe('a large amount', () => {
  test.each([
    ['3006510000', 'KRW', '30억 651만 원', '₩3.01 billion'],
    ['123456789.12', 'USD', '$1억 2,346만', '$123.46 million'],
    ['-45000', 'USD', '−$5만', '−$45,000.00'],
    ['9999.99', 'USD', '$9,999.99', '$9,999.99'],
    ['2000000', 'JPY', '¥200만', '¥2 million'],
  ])('of %s %s is said in words', (amount, currency, ko, en) => {
    expect([moneyInWords(amount, currency, 'ko'), moneyInWords(amount, currency, 'en')]).toEqual([ko, en]);
  });
});

test('a quantity keeps its digits, says no zeros, and is never more than there is', () => {
  expect([quantity(12_000), quantity('0.50000', 8), quantity('0.123456789', 8), quantity('-3.999', 2), quantity(0.9), quantity('-0')]).toEqual(['12,000', '0.5', '0.12345678', '−3.99', '0', '0']);
  expect([quantity('123456789012345678.12345678', 8), direction('-0.10'), direction(3), direction('0.00'), direction(null)]).toEqual(['123,456,789,012,345,678.12345678', 'fall', 'rise', 'same', 'same']);
});
