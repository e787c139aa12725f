import { stringify } from 'csv-stringify/sync';

/** A column of a file: its name, and its value in a row. */
export type Column<Row> = readonly [name: string, value: (row: Row) => string | number | null];

/** Marks the file as UTF-8. Excel would otherwise misread accented characters. */
const BYTE_ORDER_MARK = '\ufeff';

/** Matches text that a spreadsheet may run as a formula. In Excel, full-width characters also start a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Returns lines of a CSV file (RFC 4180). Text that could be a formula gets a leading apostrophe, so that a spreadsheet
 * shows the text instead of running it. Such text can be in external references, which partners choose, and in names,
 * which owners choose.
 */
function linesOf(records: (string | number | null)[][]): string {
  return stringify(records, {
    record_delimiter: 'windows',
    cast: { string: (text) => (FORMULA.test(text) ? `'${text}` : text) },
    // The library quotes a field that contains CR LF, but not a field that contains only CR or only LF.
    quoted_match: /[\r\n]/,
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
