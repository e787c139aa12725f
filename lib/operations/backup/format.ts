import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { StartError } from '@/lib/platform/postgres/start-error';
import { deriveSecret } from '@/lib/platform/secrets';
import type { EnvironmentClaim } from '../environment/claim';
import { damagedFile, type Lines, openLines, textOf } from './lines';

// A backup is a compressed text that psql can load: a header line, the rows of each table in PostgreSQL's COPY format,
// the number of rows per table, and the HMAC of everything before it.

const FIRST = '-- partner-booking backup ';
const COUNTS = '-- end ';
const LAST = '-- hmac ';

const NEWLINE = Buffer.from('\n');

/** No row equals this line, because COPY doubles the backslashes in values. */
const END_OF_ROWS = '\\.';

const text = boundedText(1_000);

const headerSchema = z.object({
  /** Format 1 had no HMAC. It is accepted only so that `readHeader` can refuse it with a specific message. */
  format: z.literal([1, 2]),
  environment: z.enum(['TEST', 'LIVE']),
  /** Identifies the deployment's secret without revealing it. */
  secrets_fingerprint: text,
  /** Set if the backup was made during a rotation. */
  previous_fingerprint: text.nullish(),
  migrations: z.array(text).max(10_000),
  created_at: text.check(z.iso.datetime()),
});

export type Header = z.infer<typeof headerSchema>;

const countsSchema = z.record(text, z.int());

export type Counts = z.infer<typeof countsSchema>;

/** Without generated columns. */
export type Table = { name: string; columns: string[] };

/** Returns the first line of a backup. */
export const headerLine = (header: Header) => Buffer.from(`${FIRST}${JSON.stringify(header)}\n`);

export const tableLine = (table: Table) => Buffer.from(`${copyFrom(table)};\n`);
export const endOfRowsLine = Buffer.from(`${END_OF_ROWS}\n`);

export const countsLine = (counts: Counts) => Buffer.from(`${COUNTS}${JSON.stringify(counts)}\n`);

/** Starts the HMAC of a backup, whose key is derived from the secret: nobody without it can change a backup. */
export function beginHmac({ secretKey, environment }: EnvironmentClaim): Hmac {
  return createHmac('sha256', deriveSecret(secretKey, environment, 'backup'));
}

/** Returns the last line of a backup, with the HMAC of everything before it. */
export const hmacLine = (hmac: Hmac) => Buffer.from(`${LAST}${hmac.digest('hex')}\n`);

const list = (columns: string[]) => columns.map((column) => `"${column}"`).join(', ');

/** Returns the statement that reads a table, as a query because of partitions. `where` must not contain user input. */
export const copyTo = ({ name, columns }: Table, where = 'true') =>
  `COPY (SELECT ${list(columns)} FROM "${name}" WHERE ${where}) TO STDOUT`;

export const copyFrom = ({ name, columns }: Table) => `COPY "${name}" (${list(columns)}) FROM STDIN`;

/** Opens a backup. */
export function openBackup(path: string, claim: EnvironmentClaim): Lines {
  return openLines(path, 'backup', beginHmac(claim));
}

/** Returns the error for a file that is not a backup, is incomplete, or was changed. */
export const damaged = (path: string) => damagedFile(path, 'backup');

/** Reads the first line of a backup. @throws StartError if the line is not a valid header. */
export async function readHeader(path: string, lines: Lines): Promise<Header> {
  const header = parse(path, FIRST, headerSchema, await lines.next());
  if (header.format === 2) return header;
  throw new StartError(
    'This backup was made by a version that did not protect backups against changes: restore it with that version, then start this version.',
  );
}

/** @throws StartError if the HMAC does not match the lines before it, or if another line follows. */
export async function readHmac(path: string, lines: Lines): Promise<void> {
  const expected = Buffer.from(LAST + lines.digest());
  const line = await lines.next();
  if (line?.length !== expected.length || !timingSafeEqual(line, expected)) throw damaged(path);
  if ((await lines.next()) !== null) throw damaged(path);
}

export type Section = { table: Table } | { counts: Counts };

/**
 * Reads the line that starts the next table, or the numbers of rows after the last table.
 * @throws StartError if the next line is neither.
 */
export async function readSection(path: string, lines: Lines): Promise<Section> {
  const line = await lines.next();
  const [, name, columns] = /^COPY "(\w+)" \(("\w+"(?:, "\w+")*)\) FROM STDIN;$/.exec(textOf(line)) ?? [];
  if (name && columns) return { table: { name, columns: columns.slice(1, -1).split('", "') } };
  return { counts: parse(path, COUNTS, countsSchema, line) };
}

/** Bytes of rows that are sent together, at least, except for the last block of a table. */
const BLOCK = 64 * 1024;

/** Yields the rows of a table in blocks. @throws StartError if the file ends before the last row of the table. */
export async function* readRows(path: string, lines: Lines): AsyncGenerator<Buffer> {
  const end = Buffer.from(END_OF_ROWS);
  let block: Buffer[] = [];
  let size = 0;
  for (let line = await lines.next(); !line?.equals(end); line = await lines.next()) {
    if (line === null) throw damaged(path);
    block.push(line, NEWLINE);
    size += line.length;
    if (size < BLOCK) continue;
    yield Buffer.concat(block);
    block = [];
    size = 0;
  }
  yield Buffer.concat(block);
}

function parse<T>(path: string, prefix: string, schema: z.ZodType<T>, line: Buffer | null): T {
  const text = textOf(line);
  try {
    if (!text.startsWith(prefix)) throw new SyntaxError('something else');
    return schema.parse(JSON.parse(text.slice(prefix.length)));
  } catch {
    throw damaged(path);
  }
}
