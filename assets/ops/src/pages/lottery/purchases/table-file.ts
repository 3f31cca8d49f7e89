/** Files for spreadsheets as they come from a disk. */

import { TableToRead } from '../bounds';

const ZIPPED = [0x50, 0x4b, 0x03, 0x04].join();
const OLD_OFFICE = [0xd0, 0xcf, 0x11, 0xe0].join();

/** In bytes, of which each letter takes one at least. A larger file is another one, chosen by mistake. */
export const LARGEST_FILE = TableToRead.text.maxLength;

/** Whether it is a spreadsheet's own file, of today's kind or of the old one, which has no text to read. */
export function isWorkbook(bytes: ArrayBuffer): boolean {
  const begin = new Uint8Array(bytes.slice(0, 4)).join();
  return begin === ZIPPED || begin === OLD_OFFICE;
}

/** The text of a file: of Unicode, or as Korean spreadsheets write it when it is not. */
export function decodeTable(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('euc-kr').decode(bytes);
  }
}
