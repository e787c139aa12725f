import { stringify } from 'csv-stringify/sync';

/** A column of an exported file: its name, and a function that returns its value in a row. */
export type Column<Row> = readonly [name: string, value: (row: Row) => string | number | null];

/** Marks the file as UTF-8. Otherwise, Excel would not decode accented characters. */
const BYTE_ORDER_MARK = '\ufeff';

/** Matches text that a spreadsheet may run as a formula. Excel also accepts the full-width forms of the characters. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Returns lines of a CSV file (RFC 4180). Partners choose external references, and owners choose names, so both could
 * contain formulas. A formula gets a leading apostrophe, so that a spreadsheet shows it as text.
 */
function linesOf(records: (string | number | null)[][]): string {
  return stringify(records, {
    record_delimiter: 'windows',
    cast: { string: (text) => (FORMULA.test(text) ? `'${text}` : text) },
    // By itself, the library quotes a field with a line break only if the field contains both characters of the record
    // delimiter (CR LF), but not if it contains only one of them.
    quoted_match: /[\r\n]/,
  });
}

/** Returns the header line of a file, which names the columns. */
export function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return BYTE_ORDER_MARK + linesOf([columns.map(([name]) => name)]);
}

/** Returns the lines of these rows. */
export function csvRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return linesOf(rows.map((row) => columns.map(([, value]) => value(row))));
}

/** Returns a line with a note in its first field. The line has as many fields as every other line. */
export function csvNote<Row>(columns: readonly Column<Row>[], note: string): string {
  return linesOf([columns.map((_, index) => (index === 0 ? note : null))]);
}
