import { stringify } from 'csv-stringify/sync';

export type Column<Row> = readonly [name: string, value: (row: Row) => string | number | null];

/** Marks the file as UTF-8. Excel would otherwise misread accented characters. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Matches each place in a text where a spreadsheet may begin a cell with a formula: at the start, or after any character
 * that may separate cells or lines, since the list separator of a spreadsheet depends on its country. Blanks, quotes, and
 * invisible characters are skipped, as some spreadsheets remove them. After a space, the character starts a formula only
 * if more of it follows, so `Cut - long` stays as it is. In Excel, full-width and small characters also start a formula.
 */
const FORMULA =
  /(?<=^|[;,|:\t\r\n\v\f\x85\u2028\u2029])([\p{Zs}\p{Cf}"']*)(?=[=+\-@\t＝＋－＠﹦﹢﹣﹫]|\r(?!\n))|(?<=\p{Zs})(?=[=+\-@＝＋－＠﹦﹢﹣﹫]\S)|^(?=\n)/gu;

/**
 * Returns lines of a CSV file (RFC 4180). Where text could start a formula, an apostrophe is inserted, so that a
 * spreadsheet shows the text instead of running it. Such text can be in external references, which partners choose, and
 * in names, which owners choose. Every field is quoted.
 */
function linesOf(records: (string | number | null)[][]): string {
  return stringify(records, {
    record_delimiter: 'windows',
    quoted: true,
    quoted_empty: true,
    cast: { string: (text) => text.replace(FORMULA, "$1'") },
  });
}

/** Returns the header line of a file. */
export function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return BYTE_ORDER_MARK + linesOf([columns.map(([name]) => name)]);
}

/** Returns one line for each row. */
export function csvRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return linesOf(rows.map((row) => columns.map(([, value]) => value(row))));
}

/** Returns a line whose first field contains a note and whose other fields are empty. */
export function csvNote<Row>(columns: readonly Column<Row>[], note: string): string {
  return linesOf([columns.map((_, index) => (index === 0 ? note : null))]);
}
