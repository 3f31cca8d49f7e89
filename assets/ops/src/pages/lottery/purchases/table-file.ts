/** Files for spreadsheets as they come from a disk. */

import { TableToRead } from '../../../bounds/lottery';

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

/** A line that is not taken, as the server names it: by where its record begins. */
export type Refused = { line: number; reason: string };

/** Lines of a file that are left out at once, at most. */
const MOST_LEFT_OUT = 800;
const WHOLE_FILE = ['header', 'too_many'];

/** Whether what is refused are single lines, without which the rest can be read. */
export function canLeaveOut(refused: Refused[], count: number): boolean {
  return refused.length > 0 && count <= MOST_LEFT_OUT && !refused.some(({ reason }) => WHOLE_FILE.includes(reason));
}

/** The text without these records; each leaves its lines empty, so that the others keep their numbers. */
export function withoutLines(text: string, refused: Refused[]): string {
  const mark = delimiterOf(text);
  const begins = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((end) => end.index + end[0].length)];
  let left = '';
  let done = 0;
  for (const { line, reason } of [...refused].sort((a, b) => a.line - b.line)) {
    const from = begins[line - 1];
    if (from === undefined || from < done) continue;
    // A quote that is not closed has swallowed good lines, too: only the line that it stands in goes.
    const to = reason === 'form' ? endOfLine(text, from) : endOfRecord(text, from, mark);
    left += text.slice(done, from) + text.slice(from, to).replaceAll(/[^\r\n]/g, '');
    done = to;
  }
  return left + text.slice(done);
}

/** What stands between the cells, as the server finds it: what the first line has most of. */
function delimiterOf(text: string): string {
  const [first = ''] = text.trimStart().split(/[\r\n]/);
  const count = (mark: string) => first.split(mark).length;
  return [',', ';', '\t'].reduce((most, mark) => (count(mark) > count(most) ? mark : most));
}

function endOfLine(text: string, from: number): number {
  const length = text.slice(from).search(/[\r\n]/);
  return length < 0 ? text.length : from + length;
}

/** The end of the record that begins there: a cell that begins with a quote may hold ends of lines. */
function endOfRecord(text: string, from: number, mark: string): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at]!;
    if (letter === '"') isQuoted = isQuoted ? false : at === from || text[at - 1] === mark || text[at - 1] === '"';
    else if (!isQuoted && (letter === '\r' || letter === '\n')) return at;
  }
  return text.length;
}
