/** The columns of a `Table`, and its order. Nothing here touches the page. */

import type { Snippet } from 'svelte';

export type Cell = string | number | boolean | null | undefined;

/** A column as data: `{ key: 'title', title: t('plants.title'), sort: true }`. */
export type Column<Row> = {
  /** Unique in the table; the field of the row that is shown, unless `value` or `cell` says otherwise. */
  key: string;
  /** At its head. */
  title: string;
  /** Numbers stand at the end, so that their digits do. */
  align?: 'start' | 'end';
  /** What is shown, and what it is sorted by. */
  value?: (row: Row) => Cell;
  /** Whether its head sorts; with `descending` the largest comes first at the first press, as for amounts and days. */
  sort?: boolean | 'descending';
  /** How it is shown instead of as plain text. */
  cell?: Snippet<[Row]>;
  /** Of CSS, such as `8rem`. */
  width?: string;
  /** It is left out on screens narrower than this. */
  hideBelow?: 700 | 1000;
};

export type Sort = { key: string; descending: boolean };

/** What stands in a column of a row. */
export function valueOf<Row>(row: Row, column: Column<Row>): Cell {
  return column.value ? column.value(row) : (row as Record<string, Cell>)[column.key];
}

/** The order after a press on a head: its first way, then the other one, and back. */
export function nextSort<Row>(column: Column<Row>, sort: Sort | undefined): Sort {
  return { key: column.key, descending: sort?.key === column.key ? !sort.descending : column.sort === 'descending' };
}

/** The rows in an order; what has no value stands last either way, and equal rows stay as they were. Words go by `language`, numbers in them by their size. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | undefined, language: string): Row[] {
  const column = sort && columns.find(({ key }) => key === sort.key);
  if (!column) return [...rows];
  const words = new Intl.Collator(language, { numeric: true });
  const isNone = (cell: Cell) => cell === null || cell === undefined || cell === '' || Number.isNaN(cell);
  const compare = (a: Cell, b: Cell) => (typeof a === 'string' || typeof b === 'string' ? words.compare(String(a), String(b)) : Number(a) - Number(b));
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one, column), valueOf(other, column)];
    if (isNone(a) || isNone(b)) return Number(isNone(a)) - Number(isNone(b));
    return compare(a, b) * (sort.descending ? -1 : 1);
  });
}

/** Where a page of a list stands: `21–40 of 312`, and the offsets of those beside it; undefined where there is none. */
export function pageOf(total: number, limit: number, offset: number): { from: number; to: number; previous: number | undefined; next: number | undefined } {
  // Whoever comes by an old address, or to a list that has become shorter, finds its last page.
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const start = Math.min(Math.max(0, Math.floor(offset / limit) * limit), last);
  return {
    from: total === 0 ? 0 : start + 1,
    to: Math.min(total, start + limit),
    previous: start > 0 ? start - limit : undefined,
    next: start < last ? start + limit : undefined,
  };
}
