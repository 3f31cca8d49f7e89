/** A folder of files as the zip that the house reads: each file as it is, so that of a large one nothing is held. */

import { ApiError } from '../../lib/api';

/** A file, and its name with its folders; none where the browser gives none, as of a file or a folder that nobody may read. */
export interface Named {
  name: string;
  file: Blob | undefined;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** The name is in UTF-8. */
const UNICODE = 1 << 11;
const VERSION = 20;
/** 1 January 1980: what the file's own day is says the text in it. */
const DAY = 0x21;
/** What a zip has room for: so many files, and so many bytes. */
const MOST_FILES = 0xffff;
const MOST_BYTES = 0xffffffff;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** The checksum of a file (CRC-32), read piece by piece. */
async function sumOf(file: Blob): Promise<number> {
  let sum = 0xffffffff;
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return ~sum >>> 0;
    for (const byte of value) sum = TABLE[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
  }
}

/** Numbers of two bytes each, and of four where they stand in a list of their own. */
function bytes(...numbers: (number | [number])[]): Uint8Array<ArrayBuffer> {
  const written = numbers.flatMap((number) => {
    const [value, length] = typeof number === 'number' ? [number, 2] : [number[0], 4];
    return Array.from({ length }, (_, place) => (value >>> (8 * place)) & 0xff);
  });
  return Uint8Array.from(written);
}

/**
 * The files in one, and the names of those that could not be read.
 * Throws an `ApiError` where there is no room for them in one.
 */
export async function packed(files: Named[]): Promise<{ zip: Blob; unread: string[] }> {
  const [parts, directory, unread]: [BlobPart[], BlobPart[], string[]] = [[], [], []];
  let [at, length, count] = [0, 0, 0];
  for (const { name, file } of files) {
    const sum = file && (await sumOf(file).catch(() => undefined));
    if (!file || sum === undefined) {
      unread.push(name);
      continue;
    }
    const written = new TextEncoder().encode(name);
    const shared = bytes(VERSION, UNICODE, 0, 0, DAY, [sum], [file.size], [file.size], written.length, 0);
    const before = bytes([LOCAL]);
    parts.push(before, shared, written, file);
    directory.push(bytes([CENTRAL], VERSION), shared, bytes(0, 0, 0, [0], [at]), written);
    at += before.length + shared.length + written.length + file.size;
    length += 46 + written.length;
    count += 1;
    if (count > MOST_FILES || at + length > MOST_BYTES) throw new ApiError('TOO_LARGE', 413, '');
  }
  const end = bytes([END], 0, 0, count, count, [length], [at], 0);
  return { zip: new Blob([...parts, ...directory, end], { type: 'application/zip' }), unread };
}

/** The files of a folder that was chosen, each with the folders that it lies in. */
export function chosenIn(files: Iterable<File>): Named[] {
  return [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/** What was dropped, folders with everything in them. What cannot be read stands there by its name alone. */
export async function droppedIn(data: DataTransfer): Promise<Named[]> {
  // What was dropped is told only until the event has ended.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return (await Promise.all(entries.map(inside))).flat();
}

async function inside(entry: FileSystemEntry): Promise<Named[]> {
  const name = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    return [{ name, file: await given<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)) }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Named[] = [];
  // A reader gives a hundred at a time, and none when it has given all.
  for (;;) {
    const some = await given<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some) return [...found, { name, file: undefined }];
    if (some.length === 0) return found;
    for (const one of some) found.push(...(await inside(one)));
  }
}

/** What is given; nothing where it cannot be. */
function given<T>(ask: (resolve: (it: T) => void, reject: (why: unknown) => void) => void): Promise<T | undefined> {
  return new Promise<T>(ask).catch(() => undefined);
}
