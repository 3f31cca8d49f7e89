/** Numbers and sizes as people write them, in both languages alike. */

export const MINUS = '−';

/** A whole or fractional number with grouping: `1,245`, `0.88` with two digits. */
export function number(value: number, digits = 0): string {
  const text = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(Math.abs(value));
  return (value < 0 && Number(text.replaceAll(',', '')) !== 0 ? MINUS : '') + text;
}

/** A size in bytes with decimal units: `812 B`, `38 MB`, `1.4 GB`. */
export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = size;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${number(value, unit > 0 && value < 9.95 ? 1 : 0)} ${units[unit]}`;
}
