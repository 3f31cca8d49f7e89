/** What an index is called in addresses and in keys. Nothing here touches the page. */

/** The indices by their codes, with their symbols: the server names those where nothing is known of one. */
const SYMBOLS = {
  KOSPI: '^KS11', KOSDAQ: '^KQ11', KOSPI200: '^KS200', SP500: '^GSPC', NASDAQ: '^IXIC', DOW: '^DJI', NIKKEI225: '^N225', USDKRW: 'KRW=X',
} as const;
export type Code = keyof typeof SYMBOLS;

/** The code of an index by itself or by its symbol; undefined where it is not known here. */
export function codeOf(name: string): Code | undefined {
  return (Object.keys(SYMBOLS) as Code[]).find((one) => one === name || SYMBOLS[one] === name);
}
