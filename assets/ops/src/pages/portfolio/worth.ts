/** The arithmetic of the portfolio's pictures: what is known, the change since the last record, the shares, the months. Nothing here touches the page. */

import type { Day } from '../../lib/schema';
import type { Cash, Item, Portfolio, ProfitPeriod, Snapshot, Totals } from './types';

/** The sums, of which one is unknown where nothing is known that it could be of: it is no zero. */
export function known({ items, cash, totals }: Portfolio): Totals {
  const hasValue = items.length === 0 || items.some(({ value_krw }) => value_krw !== null);
  return {
    ...totals,
    total_assets: hasValue || cash.length > 0 ? totals.total_assets : null,
    ...(!hasValue && { total_eval: null, total_profit: null, total_profit_pct: null }),
  };
}

export type ChangeSince = { day: Day; by: number; share: number | undefined };

/** What everything is worth now beside the last record before today; undefined without one, or where the worth is not known. */
export function changeSince(history: readonly Snapshot[], today: Day, total: number | null): ChangeSince | undefined {
  const before = history.filter(({ date }) => date < today).at(-1);
  if (!before || total === null) return undefined;
  const by = total - before.total_assets;
  return { day: before.date, by, share: before.total_assets === 0 ? undefined : by / before.total_assets };
}

/** The records of the last so many days. */
export function within(history: readonly Snapshot[], today: Day, days: number): Snapshot[] {
  const first = new Date(Date.parse(today) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  return history.filter(({ date }) => date >= first);
}

export type Share = { key: string; name: string; value: number; share: number; href?: string };

/** What each holding is worth of all that is known, wherever it is held; the cash is one of them. The largest first. */
export function byHolding(items: readonly Item[], cash: readonly Cash[], cashName: string): Share[] {
  return shares([
    ...items.map(({ id, market, symbol, name, value_krw: value }) => ({ key: `${market} ${symbol}`, name, value, href: `/portfolio/items/${id}` })),
    ...cash.map(({ cash: value }) => ({ key: 'cash', name: cashName, value })),
  ]);
}

/** The same for each broker, with its cash. */
export function byBroker(items: readonly Item[], cash: readonly Cash[]): Share[] {
  return shares([...items.map(({ broker, value_krw: value }) => ({ key: broker, name: broker, value })), ...cash.map(({ broker, cash: value }) => ({ key: broker, name: broker, value }))]);
}

/** The first `most`, and all others as one. */
export function topOf(all: readonly Share[], most: number, others: string): Share[] {
  if (all.length <= most + 1) return [...all];
  const rest = all.slice(most);
  const sum = (of: (share: Share) => number) => rest.reduce((total, share) => total + of(share), 0);
  return [...all.slice(0, most), { key: 'others', name: others, value: sum(({ value }) => value), share: sum(({ share }) => share) }];
}

function shares(parts: { key: string; name: string; value: number | null; href?: string }[]): Share[] {
  const sums = new Map<string, Omit<Share, 'share'>>();
  for (const { value, ...part } of parts) {
    // What is not known has no share, and what is owed none either.
    if (value === null || value <= 0) continue;
    const before = sums.get(part.key);
    sums.set(part.key, before ? { ...before, value: before.value + value } : { ...part, value });
  }
  const whole = [...sums.values()].reduce((sum, { value }) => sum + value, 0);
  return [...sums.values()].map((part) => ({ ...part, share: part.value / whole })).sort((a, b) => b.value - a.value);
}

/** The profit of each of the last months up to the newest one with a sale, oldest first; a month without a sale has earned nothing. */
export function monthsOf(periods: readonly ProfitPeriod[], most = 24): { month: string; value: number | null }[] {
  const known = new Map(periods.flatMap(({ month, profit_krw }) => (month ? [[month, profit_krw] as const] : [])));
  const named = [...known.keys()].sort();
  const [first, last] = [named[0], named.at(-1)];
  if (first === undefined || last === undefined) return [];
  const number = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
  const from = Math.max(number(first), number(last) - most + 1);
  return Array.from({ length: number(last) - from + 1 }, (_, place) => {
    const at = from + place;
    const month = `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
    return { month, value: known.has(month) ? known.get(month)! : 0 };
  });
}
