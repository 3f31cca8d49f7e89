import { expect, test } from 'vitest';
import { canLeaveOut, decodeTable, isWorkbook, withoutLines } from './table-file';

const bytes = (...values: number[]) => new Uint8Array(values).buffer;

test('a table is read in Unicode, and as Korean spreadsheets write it', () => {
  expect(decodeTable(new TextEncoder().encode('회차').buffer as ArrayBuffer)).toBe('회차');
  expect(decodeTable(bytes(0xc8, 0xb8, 0xc2, 0xf7))).toBe('회차');
  expect(decodeTable(bytes(0xff, 0xfe, 0x8c, 0xd6))).toBe('회');
});

test('a file of a spreadsheet itself is told from a table', () => {
  expect(isWorkbook(bytes(0x50, 0x4b, 0x03, 0x04, 0x14))).toBe(true);
  expect(isWorkbook(bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1))).toBe(true);
  expect(isWorkbook(new TextEncoder().encode('PK,회차').buffer as ArrayBuffer)).toBe(false);
  expect(isWorkbook(bytes())).toBe(false);
});

test('lines that are left out leave the others where they stand, and take no good line along', () => {
  const text = '회차,번호,메모\r\n1,x,"두\n줄"\r\n2,1 2 3 4 5 6,가게\r\n3,"x"" y",\r\n4,1 2 3 4 5 6,6" 자\r\n';
  expect(withoutLines(text, [{ line: 5, reason: 'numbers' }, { line: 2, reason: 'numbers' }])).toBe('회차,번호,메모\r\n\n\r\n2,1 2 3 4 5 6,가게\r\n\r\n4,1 2 3 4 5 6,6" 자\r\n');
  expect(withoutLines('회차;번호\r1;"1 2\r2;1 2 3 4 5 6', [{ line: 2, reason: 'form' }])).toBe('회차;번호\r\r2;1 2 3 4 5 6');
  expect(withoutLines('회차,번호\n1,x', [{ line: 2, reason: 'numbers' }])).toBe('회차,번호\n');
  expect(withoutLines('회차,번호\n1,6" 자,\n2,y', [{ line: 2, reason: 'numbers' }])).toBe('회차,번호\n\n2,y');
});

test('single lines can be left out, and not a whole file', () => {
  expect(canLeaveOut([{ line: 2, reason: 'draw' }], 1)).toBe(true);
  expect(canLeaveOut([{ line: 1, reason: 'header' }], 1)).toBe(false);
  expect(canLeaveOut([{ line: 9, reason: 'too_many' }], 1)).toBe(false);
  expect(canLeaveOut([], 0)).toBe(false);
});
