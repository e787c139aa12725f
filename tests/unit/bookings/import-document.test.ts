import { expect, test } from 'vitest';
import { MAX_IMPORT_MIB, MAX_ROWS, readDocument } from '@/lib/booking/bookings/import/document';

const SIZE = MAX_IMPORT_MIB * 1024 * 1024 - 200;
const HEADER = 'service,specialist,date,start_time,customer_name,customer_phone,consent_to_contact\n';
const line = (name: string) => `Haircut,Alex,2027-03-01,10:00,"${name}",+493055501234,yes`;

test.each([
  ['delimiters', HEADER + ','.repeat(SIZE - HEADER.length)],
  ['tabs', '\t'.repeat(SIZE)],
  ['quotes', '"'.repeat(SIZE)],
  ['empty quoted fields', HEADER + '"",'.repeat(SIZE / 3 - HEADER.length)],
  ['empty lines', HEADER + '\n'.repeat(SIZE - HEADER.length)],
  ['rows of delimiters', HEADER + `${','.repeat(19_000)}\n`.repeat(200)],
  ['too many rows', `${HEADER}${`${line('A')}\n`.repeat(MAX_ROWS + 1)}`],
  ['braces', '{"a":'.repeat(SIZE / 5)],
])('a file of %s is refused within a second', (_, text) => {
  const begun = performance.now();
  const { rows, issues } = readDocument(text);
  expect(performance.now() - begun).toBeLessThan(1_000);
  expect([rows, issues.length]).toEqual([[], 1]);
});

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('long files with line ends %s are read to their last row', (_, end) => {
  const lines = [HEADER.trim(), ...Array.from({ length: 2_000 }, (__, index) => line(`Robin ${index}`))];
  const { rows, issues } = readDocument(lines.join(end));
  expect([rows.length, rows.at(-1)?.customer_name, issues]).toEqual([2_000, 'Robin 1999', []]);
});
