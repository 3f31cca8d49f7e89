import { expect, test } from 'vitest';
import type { Cash, Item, Portfolio, ProfitPeriod, Snapshot, Totals } from './types';
import { byBroker, byHolding, changeSince, known, monthsOf, topOf, within } from './worth';

const record = (date: string, total_assets: number, partial = false): Snapshot => ({ date, total_assets, partial, source: 'scheduled', created_at: `${date}T06:45:00Z` });
const item = (of: Partial<Item>) => ({ id: 1, broker: '가', market: 'KOSPI', symbol: '005930', name: '예시전자', value_krw: null, ...of }) as Item;
const cash = (broker: string, amount: number) => ({ broker, cash: amount, updated_at: '2026-10-10T00:00:00Z' }) as Cash;

test('where no value is known the sums are unknown, and no zero; cash alone is known', () => {
  const totals = { total_assets: 0, total_eval: 0, total_cash: 0, total_profit: 0, total_profit_pct: null } as Totals;
  const of = (items: Item[], held: Cash[]) => known({ items, cash: held, totals } as Portfolio);
  expect([of([item({})], []).total_assets, of([item({})], []).total_eval, of([item({})], []).total_profit]).toEqual([null, null, null]);
  expect([of([item({})], [cash('가', 0)]).total_assets, of([item({})], [cash('가', 0)]).total_eval]).toEqual([0, null]);
  expect(of([item({ value_krw: 0 })], []).total_eval).toBe(0);
  expect(of([], []).total_eval).toBe(0);
});

test('the change is since the last record before today, and unknown without one', () => {
  const history = [record('2026-10-08', 900), record('2026-10-09', 1000), record('2026-10-10', 5000)];
  expect(changeSince(history, '2026-10-10', 1100)).toEqual({ day: '2026-10-09', by: 100, share: 0.1 });
  expect(changeSince(history, '2026-10-08', 1100)).toBeUndefined();
  expect(changeSince(history, '2026-10-10', null)).toBeUndefined();
  expect(changeSince([record('2026-10-09', 0)], '2026-10-10', 5)?.share).toBeUndefined();
});

test('so many days end with today', () => {
  expect(within([record('2026-09-10', 1), record('2026-09-11', 2), record('2026-10-10', 3)], '2026-10-10', 30).map(({ date }) => date)).toEqual(['2026-09-11', '2026-10-10']);
});

test('shares are of what is known: one symbol at two brokers is one, and what is unknown has none', () => {
  const items = [item({ value_krw: 300 }), item({ id: 2, broker: '나', value_krw: 100 }), item({ id: 3, symbol: '000660', name: '예시반도체' })];
  expect(byHolding(items, [cash('가', 100)], '예수금').map(({ name, value, share }) => [name, value, share])).toEqual([['예시전자', 400, 0.8], ['예수금', 100, 0.2]]);
  expect(byBroker(items, [cash('가', 100)]).map(({ name, share }) => [name, share])).toEqual([['가', 0.8], ['나', 0.2]]);
  expect(byHolding([], [], '예수금')).toEqual([]);
});

test('beyond the first ones the others are one', () => {
  const all = [5, 4, 3, 2].map((value) => ({ key: String(value), name: String(value), value, share: value / 14 }));
  expect(topOf(all, 3, '그 외')).toHaveLength(4);
  expect(topOf(all, 2, '그 외').map(({ name, value }) => [name, value])).toEqual([['5', 5], ['4', 4], ['그 외', 5]]);
});

test('a month between two sales has earned nothing, and one whose sum is unknown stays unknown', () => {
  const period = (month: string, profit_krw: number | null) => ({ month, year: 2026, profit_krw, count: 1 }) as ProfitPeriod;
  expect(monthsOf([period('2027-01', null), period('2026-11', 500)])).toEqual([{ month: '2026-11', value: 500 }, { month: '2026-12', value: 0 }, { month: '2027-01', value: null }]);
  expect(monthsOf([])).toEqual([]);
});
