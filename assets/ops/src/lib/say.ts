/** The formats of `format.ts` in the language that is chosen now; reactive when called from a template. */

import * as format from './format';
import { currentLanguage } from './i18n.svelte';
import * as moneys from './money';
import type { Day, Instant } from './schema';

export { bytes, dayOf, daysBetween, elapsed, number, percent, time } from './format';
export { moment } from './time-in-words';
export { direction, quantity, signedPercent } from './money';
export const money = (amount: moneys.Decimal, currency: moneys.Currency): string => moneys.money(amount, currency, currentLanguage());
export const signedMoney = (amount: moneys.Decimal, currency: moneys.Currency): string => moneys.signedMoney(amount, currency, currentLanguage());
export const moneyInWords = (amount: moneys.Decimal, currency: moneys.Currency): string => moneys.moneyInWords(amount, currency, currentLanguage());
export const axisDay = (day: Day, unit: 'day' | 'month' | 'year'): string => format.axisDay(day, unit, currentLanguage());
export const won = (value: number): string => format.won(value, currentLanguage());
export const signedWon = (value: number): string => format.signedWon(value, currentLanguage());
export const wonInWords = (value: number): string => format.wonInWords(value, currentLanguage());
export const date = (day: Day): string => format.date(day, currentLanguage());
export const month = (day: Day): string => format.month(day, currentLanguage());
export const shortDate = (day: Day): string => format.shortDate(day, currentLanguage());
export const dateTime = (instant: Instant): string => format.dateTime(instant, currentLanguage());
export const due = (day: Day): string => format.due(day, currentLanguage());
export const age = (instant: Instant, now?: number): string => format.age(instant, currentLanguage(), now);
export const duration = (milliseconds: number): string => format.duration(milliseconds, currentLanguage());
