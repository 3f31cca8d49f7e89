/** Exact decimals as whole numbers of ten digits behind the point: what a sale comes to before the server has reckoned it. Nothing here touches the page. */

const DIGITS = 10;
const ONE = 10n ** BigInt(DIGITS);

/** A plain decimal, such as `"12.5"`; undefined for what is none. */
export function decimal(text: string): bigint | undefined {
  const [, sign, whole, behind = ''] = /^(-?)(\d{1,15})(?:\.(\d{0,10}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const size = BigInt(whole + behind.padEnd(DIGITS, '0'));
  return sign ? -size : size;
}

/** The product of two. */
export function times(one: bigint, other: bigint): bigint {
  return half(one * other, ONE);
}

/** With so many digits behind the point, half away from zero, as text. */
export function rounded(value: bigint, digits: number): string {
  const cut = half(value, 10n ** BigInt(DIGITS - digits));
  const text = (cut < 0n ? -cut : cut).toString().padStart(digits + 1, '0');
  const sign = cut < 0n ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function half(value: bigint, of: bigint): bigint {
  const size = value < 0n ? -value : value;
  const cut = (size + of / 2n) / of;
  return value < 0n ? -cut : cut;
}

export type SaleInput = { quantity: string; price: string; fees: string; tax: string; cost: string; digits: number; rate: string | null; costRate: string | null };
/** `left` is what is left of the proceeds after fees and tax, both in the currency of the sale; in won null without a rate. */
export type SaleResult = { left: string; profit: string; profitKrw: number | null };

/** What a sale comes to by the average-cost method; undefined until all of its amounts are amounts. */
export function saleOf({ quantity, price, fees, tax, cost, digits, rate, costRate }: SaleInput): SaleResult | undefined {
  const [count, each, fee, duty, paid] = [quantity, price, fees || '0', tax || '0', cost].map(decimal);
  if (count === undefined || each === undefined || fee === undefined || duty === undefined || paid === undefined || count <= 0n) return undefined;
  const left = times(count, each) - fee - duty;
  const bought = times(count, paid);
  const [now, then] = [rate, costRate ?? rate].map((text) => (text === null ? undefined : decimal(text)));
  const inWon = now === undefined || then === undefined ? null : Number(rounded(times(left, now) - times(bought, then), 0));
  return { left: rounded(left, digits), profit: rounded(left - bought, digits), profitKrw: inWon };
}
