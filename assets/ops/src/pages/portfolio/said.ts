/** Amounts of the portfolio in words. */

import type { Form } from '../../lib/form.svelte';
import { t } from '../../lib/i18n.svelte';
import { money, number } from '../../lib/say';
import { grouped } from '../../lib/amounts';

/** A price or a sum in its currency, with as many decimals as it has; what is not known is said so. Reactive. */
export function amount(of: string | number | null, currency: string): string {
  if (of === null) return t('portfolio.unknown');
  const text = grouped(of);
  // With more decimals than the currency has, such as an average price: none of them is lost.
  if ((text.split('.')[1]?.length ?? 0) > 2 || (currency === 'KRW' && text.includes('.'))) return money(0, currency).replace(/0(\.0+)?/, text);
  return money(of, currency);
}

/** A sum in won, or that it is not known. Reactive. */
export function wonOrUnknown(of: number | null): string {
  return of === null ? t('portfolio.unknown') : money(of, 'KRW');
}

/** A share in percent, such as `12.3%`, or that it is not known. Reactive. */
export function percentOrUnknown(of: number | null): string {
  return of === null ? t('portfolio.unknown') : `${number(of, 1)}%`;
}

/** What stands behind the input of an amount. Reactive. */
export function unitOf(currency: string): string {
  return currency === 'KRW' ? t('portfolio.won') : currency;
}

/** Groups the digits of an amount when its field is left; a refused one stays as it was sent, with what is said of it. */
export function tidy<Values extends object>(form: Form<Values>, names: readonly (keyof Values & string)[]): (event: FocusEvent) => void {
  return ({ target }) => {
    const name = names.find((one) => one === (target as HTMLInputElement).name);
    if (name === undefined || form.refusal(name)) return;
    const values = form.values as Record<string, string>;
    values[name] = grouped(values[name] ?? '');
  };
}
