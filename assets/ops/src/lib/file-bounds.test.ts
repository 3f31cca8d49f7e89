import { expect, test } from 'vitest';
import { sift, typesInWords } from './file-bounds';

test('files are taken by their type, size and number, and the others say why they are not', () => {
  const files = [
    { name: '표지.PNG', type: 'image/png', size: 10 }, { name: '계약.pdf', type: '', size: 10 }, { name: '실행.exe', type: 'application/x-msdownload', size: 10 },
    { name: '빈.png', type: 'image/png', size: 0 }, { name: '큰.png', type: 'image/png', size: 101 }, { name: '셋째.png', type: 'image/png', size: 100 },
  ];
  const { taken, refused } = sift(files, { accept: 'image/*, .pdf', mostBytes: 100, most: 2 });
  expect(taken.map(({ name }) => name)).toEqual(['표지.PNG', '계약.pdf']);
  expect(refused.map(({ name, reason }) => `${name} ${reason}`)).toEqual(['실행.exe type', '빈.png empty', '큰.png size', '셋째.png count']);
  expect([sift(files, {}).taken.length, typesInWords('image/*, .pdf,audio/mpeg', (kind) => `${kind}s`)]).toEqual([5, 'images, PDF, MPEG']);
});
