import { expect, test } from 'vitest';
import { chosenIn, droppedIn, packed } from './packing';

const bytesOf = async (blob: Blob) => new DataView(await blob.arrayBuffer());

test('a folder is packed with its names in Unicode, each file as it is with the sum that every reader checks', async () => {
  const { zip, unread } = await packed([
    { name: '글/봄.md', file: new Blob(['123456789']) },
    { name: 'b', file: new Blob([]) },
  ]);
  const view = await bytesOf(zip);
  expect(unread).toEqual([]);
  expect([view.getUint32(0, true), view.getUint16(6, true), view.getUint16(8, true)]).toEqual([0x04034b50, 0x800, 0]);
  // The check value of CRC-32, and the length of what is stored.
  expect([view.getUint32(14, true), view.getUint32(18, true), view.getUint32(22, true)]).toEqual([0xcbf43926, 9, 9]);
  const name = new TextEncoder().encode('글/봄.md');
  expect(view.getUint16(26, true)).toBe(name.length);
  expect(new Uint8Array(view.buffer, 30, name.length)).toEqual(name);
  const second = 30 + name.length + 9;
  expect(view.getUint32(second, true)).toBe(0x04034b50);
  const list = second + 30 + 1;
  const last = list + 46 + name.length;
  expect([view.getUint32(list, true), view.getUint32(list + 42, true)]).toEqual([0x02014b50, 0]);
  expect([view.getUint32(last, true), view.getUint32(last + 42, true)]).toEqual([0x02014b50, second]);
  const end = last + 46 + 1;
  expect([view.getUint32(end, true), view.getUint16(end + 10, true)]).toEqual([0x06054b50, 2]);
  expect([view.getUint32(end + 12, true), view.getUint32(end + 16, true), view.byteLength]).toEqual([end - list, list, end + 22]);
});

test('a file that cannot be read is named, and the others are packed', async () => {
  const gone = { size: 1, stream: () => new ReadableStream({ start: (way) => way.error(new Error('gone')) }) } as unknown as Blob;
  const { zip, unread } = await packed([{ name: 'gone.md', file: gone }, { name: 'a.md', file: new Blob(['a']) }]);
  expect(unread).toEqual(['gone.md']);
  const view = await bytesOf(zip);
  expect(view.getUint16(view.byteLength - 12, true)).toBe(1);
});

test('a folder that was chosen or dropped keeps the folders in it', async () => {
  const chosen = { name: '봄.md', webkitRelativePath: '글/봄.md' } as File;
  expect(chosenIn([chosen, { name: 'a.md', webkitRelativePath: '' } as File]).map(({ name }) => name)).toEqual(['글/봄.md', 'a.md']);

  const file = (fullPath: string) => ({ isFile: true, fullPath, file: (give: (file: File) => void) => give({} as File) });
  const folder = (fullPath: string, ...given: unknown[][]) => ({ isFile: false, fullPath, createReader: () => ({ readEntries: (give: (some: unknown[]) => void) => give(given.shift() ?? []) }) });
  const dropped = folder('/글', [file('/글/봄.md')], [folder('/글/사진', [file('/글/사진/a.png')]), file('/글/여름.md')]);
  const items = [dropped, null].map((entry) => ({ webkitGetAsEntry: () => entry }));
  const found = await droppedIn({ items } as unknown as DataTransfer);
  expect(found.map(({ name }) => name)).toEqual(['글/봄.md', '글/사진/a.png', '글/여름.md']);
});

test('what of a dropped folder cannot be read is named, and the rest of it is packed', async () => {
  const whole = new File(['a'], 'a.md');
  type Give<T> = (give: (it: T) => void, fail: (why: Error) => void) => void;
  const file = (fullPath: string, file: Give<File>) => ({ isFile: true, fullPath, file });
  const folder = (fullPath: string, readEntries: Give<unknown[]>) => ({ isFile: false, fullPath, createReader: () => ({ readEntries }) });
  const gone: Give<never> = (_, fail) => fail(new Error('nobody may read it'));
  const parts = [[file('/글/봄.md', (give) => give(whole)), file('/글/비밀.md', gone), folder('/글/잠긴', gone), file('/글/여름.md', (give) => give(whole))]];
  const entry = folder('/글', (give) => give(parts.shift() ?? []));
  const found = await droppedIn({ items: [{ webkitGetAsEntry: () => entry }] } as unknown as DataTransfer);
  expect(found.map(({ name, file }) => [name, file !== undefined])).toEqual([['글/봄.md', true], ['글/비밀.md', false], ['글/잠긴', false], ['글/여름.md', true]]);
  const { zip, unread } = await packed(found);
  expect(unread).toEqual(['글/비밀.md', '글/잠긴']);
  const view = await bytesOf(zip);
  expect(view.getUint16(view.byteLength - 12, true)).toBe(2);
});
