import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { customerName, externalReference, phoneNumber } from '@/lib/contract/bookings';
import { boundedText } from '@/lib/contract/bounded-text';
import { clockTime, requiredOr, storedDate } from '@/lib/contract/common';
import { customerEmail } from '@/lib/contract/optional-fields';
import { findUnstorable } from '@/lib/platform/text/storable';
import { issuesOf } from '../../catalog/edit/issues';
import { price } from '../../catalog/edit/schemas';
import { must } from '../../catalog/edit/texts';
import { readJson } from '../../catalog/transfer/json';
import { noteText } from '../owner-create';

const FORMAT = 'partner-booking-bookings/1';

/** The largest business brings fewer, and one transaction can insert them in seconds. */
export const MAX_ROWS = 5_000;
/** A row has about 200 bytes. */
export const MAX_IMPORT_MIB = 4;
/** Issues of one document. */
export const MAX_ISSUES = 1_000;

/** `row` counts bookings from 1; null for an issue of the whole document. */
export type RowIssue = { row: number | null; field: string | null; message: string };

const record = boundedText(200, 'must be an ID or a name', requiredOr('must be text')).trim().min(1, 'is required');

const rowSchema = z.strictObject(
  {
    service: record,
    location: record.nullable().default(null),
    specialist: record,
    date: storedDate,
    start_time: clockTime,
    customer_name: customerName,
    customer_phone: phoneNumber,
    customer_email: customerEmail.nullable().default(null),
    consent_to_contact: z.literal(true, { error: 'must be true' }),
    price_amount: price.shape.amount.nullable().default(null),
    external_reference: externalReference.nullable().default(null),
    note: noteText,
  },
  { error: must('an object') },
);

/** A booking as the document states it. */
export type ImportRow = z.output<typeof rowSchema> & { row: number };

const FIELDS = Object.keys(rowSchema.shape);
const NO_LANGUAGES = { locales: [], defaultLocale: '' };
const OPTIONAL: readonly string[] = ['location', 'customer_email', 'price_amount', 'external_reference', 'note'];

type Read = { rows: ImportRow[]; issues: RowIssue[] };

/**
 * Reads a document with bookings, as JSON or CSV. Returns the valid rows, and at most `MAX_ISSUES` issues. A text that
 * begins with a brace is JSON.
 */
export function readDocument(text: string): Read {
  if (Buffer.byteLength(text) > MAX_IMPORT_MIB * 1024 * 1024) return refused(`must have at most ${MAX_IMPORT_MIB} MiB`);
  const values = /^\s*\{/.test(text) ? readJsonRows(text.replace('\ufeff', '')) : readCsvRows(text);
  if (!Array.isArray(values)) return values;
  if (values.length === 0) return refused('contains no bookings');
  if (values.length > MAX_ROWS) return refused(`must contain at most ${MAX_ROWS} bookings`);
  const read: Read = { rows: [], issues: [] };
  for (const [index, value] of values.entries()) {
    if (read.issues.length >= MAX_ISSUES) break;
    readRow(value, index + 1, read);
  }
  return read;
}

function refused(message: string, field: string | null = null): Read {
  return { rows: [], issues: [{ row: null, field, message }] };
}

function readRow(value: unknown, row: number, { rows, issues }: Read): void {
  const unstorable = findUnstorable(value, 'stored');
  if (unstorable) {
    // Another field is unknown, and its name can be data.
    const field = FIELDS.includes(unstorable.path) ? unstorable.path : '*';
    issues.push({ row, field, message: unstorable.message });
    return;
  }
  const parsed = rowSchema.safeParse(value);
  if (parsed.success) rows.push({ ...parsed.data, row });
  else
    for (const { path, message } of issuesOf(parsed.error, NO_LANGUAGES))
      issues.push({ row, field: path.join('.') || null, message });
}

const documentSchema = z.strictObject({ format: z.literal(FORMAT), bookings: z.array(z.unknown()) });

function readJsonRows(text: string): unknown[] | Read {
  const { value, issues } = readJson(text, MAX_ISSUES);
  if (value === undefined || issues.length > 0) return { rows: [], issues: issues.map(placed) };
  const parsed = documentSchema.safeParse(value);
  return parsed.success
    ? parsed.data.bookings
    : refused(`must be an object with "format": "${FORMAT}" and a list "bookings"`);
}

/** A name in a path can be data. */
function placed({ path: [, row, field], message }: ReturnType<typeof readJson>['issues'][number]): RowIssue {
  const known = FIELDS.find((name) => name === field) ?? null;
  return { row: typeof row === 'number' ? row + 1 : null, field: known, message };
}

/** Characters of a row. */
const MAX_RECORD = 20_000;
/** Delimiters of a document, also those in quoted text. The parser does not bound them, and needs a second for 4 MiB. */
const MAX_DELIMITERS = 100 * MAX_ROWS;

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

/** Programs protect text that could start a formula with an apostrophe, which is no part of the text. */
const PROTECTED = /^'(?=[=+\-@\t\r])/;

function readCsvRows(text: string): unknown[] | Read {
  const first = text.slice(0, 2_000).split(/[\r\n]/, 1)[0] ?? '';
  const delimiter = [',', ';', '\t'].find((one) => first.includes(one)) ?? ',';
  if (countOf(text, delimiter) > MAX_DELIMITERS) return refused(`must contain at most ${MAX_ROWS} bookings`);
  let records: string[][];
  try {
    records = parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      // Spreadsheets save rows that were emptied as delimiters only.
      skip_records_with_empty_values: true,
      max_record_size: MAX_RECORD,
      to: MAX_ROWS + 2,
    });
  } catch {
    return refused('is not valid CSV: a quoted field is not closed, or a row is too long');
  }
  const [header = [], ...lines] = records;
  const names = header.map((name) => name.trim().toLowerCase());
  const unknown = names.findIndex((name) => !FIELDS.includes(name));
  if (unknown >= 0)
    return refused(`has an unknown column, number ${unknown + 1}. The columns are ${FIELDS.join(', ')}`);
  if (new Set(names).size < names.length) return refused('has a column twice');
  const missing = FIELDS.find((name) => !names.includes(name) && !OPTIONAL.includes(name));
  if (missing) return refused('is a missing column', missing);
  return lines.map((line) => rowOf(names, line));
}

function rowOf(names: readonly string[], line: readonly string[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) {
    const text = (line[index] ?? '').replace(PROTECTED, '').trim();
    if (text !== '') row[name] = valueIn(name, text);
  }
  if (line.length > names.length) row[`column_${names.length + 1}`] = true;
  return row;
}

function valueIn(name: string, text: string): unknown {
  if (name === 'consent_to_contact') return /^(true|yes|1)$/i.test(text);
  return name === 'price_amount' && /^\d{1,12}$/.test(text) ? Number(text) : text;
}
