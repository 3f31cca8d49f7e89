/** Amounts of any currency as people write them in Korean and in English. Pure: the language is an argument. */

import { won, wonInWords } from './format';
import type { Language } from './i18n.svelte';
import { MINUS, number } from './number';

/** A decimal as the server writes it, such as `"1391.20"`: as text it keeps every digit. */
export type Decimal = string | number;
/** Of ISO 4217, such as `KRW`. */
export type Currency = string;

/** An exact amount with the decimals of its currency: `128,450,300원`, `₩128,450,300`, `$1,391.20`, `¥15,000`. */
export function money(amount: Decimal, currency: Currency, language: Language): string {
  const digits = withoutSign(amount, currency);
  const sign = isBelowZero(amount) && /[1-9]/.test(digits) ? MINUS : '';
  if (currency === 'KRW') return sign + won(0, language).replace('0', digits);
  return `${sign}${symbol(currency)}${digits}`;
}

/** A change with its sign: `+$12.00`, `−$0.50`, `$0.00`. */
export function signedMoney(amount: Decimal, currency: Currency, language: Language): string {
  const text = money(amount, currency, language);
  return Number(amount) > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A large amount as people say it: `30억 651만 원`, `$1억 2,346만`, `$123.46 million`. Below 10,000 it is exact. */
export function moneyInWords(amount: Decimal, currency: Currency, language: Language): string {
  const value = Number(amount);
  if (Math.abs(value) < 10_000) return money(amount, currency, language);
  const said = wonInWords(Math.round(value), language);
  if (currency === 'KRW') return said;
  // The unit of the won stands behind the number, that of others before it.
  if (language === 'ko') return said.replace(/^(\u2212?)(.*) .$/, (_, sign: string, words: string) => sign + symbol(currency) + words);
  // Below a million English has digits only, and those with the decimals of the currency.
  return /[a-z]$/.test(said) ? said.replace('₩', () => symbol(currency)) : money(amount, currency, language);
}

/** A share as a change: `+0.84%`, `−0.21%`, `0.00%`. */
export function signedPercent(share: number, digits = 2): string {
  const text = `${number(share * 100, digits)}%`;
  return share > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

function withoutSign(amount: Decimal, currency: Currency): string {
  const { maximumFractionDigits: digits } = new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions();
  const text = typeof amount === 'string' ? amount.replace(/^[-−]/, '') : Math.abs(amount);
  return new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(text as `${number}`);
}

/** `$` alone is the dollar of the United States, in both languages. */
function symbol(currency: Currency): string {
  const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency }).formatToParts(0);
  const text = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  return /^[A-Z]{3}$/.test(text) ? `${text} ` : text;
}

function isBelowZero(amount: Decimal): boolean {
  return typeof amount === 'string' ? /^[-−]/.test(amount) : amount < 0;
}

/**
 * A number of shares, units or coins: grouped, with at most `decimals` behind the point and no zeros that say nothing.
 *
 *     quantity(12000)          // 12,000
 *     quantity('0.50000', 8)   // 0.5
 */
export function quantity(amount: Decimal, decimals = 0): string {
  const text = typeof amount === 'string' ? amount.replace(/^[-−]/, '') : Math.abs(amount);
  const digits = new Intl.NumberFormat('en-US', { maximumFractionDigits: decimals, roundingMode: 'trunc' } as Intl.NumberFormatOptions).format(text as `${number}`);
  return (isBelowZero(amount) && /[1-9]/.test(digits) ? MINUS : '') + digits;
}

/** Which way a change goes; what is no number goes neither way. */
export function direction(change: Decimal | null): 'rise' | 'fall' | 'same' {
  const value = Number(change);
  return value > 0 ? 'rise' : value < 0 ? 'fall' : 'same';
}
