import { expect, test } from 'vitest';
import { decodeTable, isWorkbook } from './table-file';

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
