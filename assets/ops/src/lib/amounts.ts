/** Amounts as they are typed and as the server takes them. Nothing here touches the page. */

/** Digits behind the point of an amount, at most. */
const DECIMALS = 10;

/** What is sent of a typed amount, such as `₩1,250.50`: digits without groups; what is no amount goes as it is, and is refused beside its field. */
export function plain(typed: string): string {
  const text = typed.replace(/[,\s\p{Sc}\uc6d0\uc8fc]/gu, '').replace('−', '-').replace(/^0+(?=\d)/, '');
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

/** An amount with its digits in groups and no zeros that say nothing: `1,250.5`; what is no amount stays as it was typed. */
export function grouped(amount: string | number | null): string {
  const text = plain(String(amount ?? ''));
  const [, sign, whole, behind = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === undefined) return String(amount ?? '');
  const kept = behind.slice(0, DECIMALS).replace(/0+$/, '');
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${kept && `.${kept}`}`;
}
