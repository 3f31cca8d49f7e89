import { expect, test } from 'vitest';
import { nextSort, pageOf, sorted, type Column } from './table';

type Row = { name: string; amount: number | null };
const columns: Column<Row>[] = [{ key: 'name', title: 'Name', sort: true }, { key: 'amount', title: 'Amount', sort: 'descending' }];
const rows: Row[] = [{ name: '보험 10', amount: 5 }, { name: '가스', amount: null }, { name: '보험 2', amount: 12 }, { name: '관리비', amount: 5 }];
const names = (key: string, descending: boolean) => sorted(rows, columns, { key, descending }, 'ko').map(({ name }) => name);

test('rows are sorted by words and by numbers; what has no value stands last either way, and equal rows keep their order', () => {
  expect(names('name', false)).toEqual(['가스', '관리비', '보험 2', '보험 10']);
  expect(names('amount', false)).toEqual(['보험 10', '관리비', '보험 2', '가스']);
  expect(names('amount', true)).toEqual(['보험 2', '보험 10', '관리비', '가스']);
  expect(sorted(rows, columns, undefined, 'ko')).toEqual(rows);
});

test('a head sorts its first way, then the other one', () => {
  const once = nextSort(columns[1]!, { key: 'name', descending: false });
  expect([once, nextSort(columns[1]!, once)]).toEqual([{ key: 'amount', descending: true }, { key: 'amount', descending: false }]);
});

test('a page says where it stands, also behind the end of the list', () => {
  expect(pageOf(312, 20, 20)).toEqual({ from: 21, to: 40, previous: 0, next: 40 });
  expect(pageOf(312, 20, 900)).toEqual({ from: 301, to: 312, previous: 280, next: undefined });
  expect(pageOf(0, 20, 0)).toEqual({ from: 0, to: 0, previous: undefined, next: undefined });
  expect(pageOf(40, 20, 25)).toEqual({ from: 21, to: 40, previous: 0, next: undefined });
});
