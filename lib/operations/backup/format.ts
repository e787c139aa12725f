import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { StartError } from '@/lib/platform/postgres/start-error';

// A backup is compressed text: a header line, the rows of each table in PostgreSQL's COPY format, and a last line with
// the number of rows per table. It is readable as text, and psql can load it.

const FIRST = '-- partner-booking backup ';
const LAST = '-- end ';

/** The line after the last row of a table. No row is equal to it, because COPY doubles backslashes. */
const END_OF_ROWS = '\\.';

const headerSchema = z.object({
  format: z.literal(1),
  environment: z.enum(['TEST', 'LIVE']),
  /** Identifies the deployment's secret; it cannot be used to decrypt. */
  secrets_fingerprint: z.string(),
  /** The names of the applied migrations. */
  migrations: z.array(z.string()),
  created_at: z.iso.datetime(),
});

/** The first line of a backup. */
export type Header = z.infer<typeof headerSchema>;

const countsSchema = z.record(z.string(), z.int());

/** The number of rows per table. */
export type Counts = z.infer<typeof countsSchema>;

/** A table with its stored columns; generated columns are omitted. */
export type Table = { name: string; columns: string[] };

/** Returns the first line of a backup. */
export const headerLine = (header: Header) => Buffer.from(`${FIRST}${JSON.stringify(header)}\n`);

/** Returns the line before the rows of a table. */
export const tableLine = (table: Table) => Buffer.from(`${copyFrom(table)};\n`);
export const endOfRowsLine = Buffer.from(`${END_OF_ROWS}\n`);

/** Returns the last line of a backup. */
export const countsLine = (counts: Counts) => Buffer.from(`${LAST}${JSON.stringify(counts)}\n`);

const list = (columns: string[]) => columns.map((column) => `"${column}"`).join(', ');

/** Returns the statement that reads the rows of a table. COPY reads a partitioned table only as a query. */
export const copyTo = ({ name, columns }: Table) => `COPY (SELECT ${list(columns)} FROM "${name}") TO STDOUT`;

/** Returns the statement that inserts the rows of a table. */
export const copyFrom = ({ name, columns }: Table) => `COPY "${name}" (${list(columns)}) FROM STDIN`;

/** The lines of an open backup, without line breaks. `close` stops reading before the end. */
export type Lines = { next: () => Promise<Buffer | null>; close: () => void };

/** Opens a backup. Lines are read on demand, because a backup may be larger than memory. */
export function openBackup(path: string): Lines {
  const file = createReadStream(path);
  const text = file.on('error', (error) => text.destroy(error)).pipe(createGunzip());
  const lines = split(text);
  return {
    next: async () => {
      const { value, done } = await lines.next().catch((error: unknown) => {
        throw readProblem(path, error);
      });
      return done ? null : value;
    },
    close: () => {
      file.destroy();
      text.destroy();
    },
  };
}

async function* split(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of text) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = chunk.subarray(from, end);
      yield rest.length > 0 ? Buffer.concat([rest, line]) : line;
      rest = Buffer.alloc(0);
      from = end + 1;
    }
    if (from < chunk.length) rest = Buffer.concat([rest, chunk.subarray(from)]);
  }
  if (rest.length > 0) yield rest;
}

function readProblem(path: string, error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'EISDIR')
    return new StartError(`The backup ${path} does not exist or is a directory.`);
  if (code === 'EACCES' || code === 'EPERM') return new StartError(`No permission to read ${path}.`);
  return code.startsWith('Z_') ? damaged(path) : error;
}

/** Returns the error for an incomplete or invalid file. */
export function damaged(path: string): StartError {
  return new StartError(`${path} is damaged or is not a backup of this system.`);
}

/**
 * Reads the first line of a backup.
 * @throws StartError if it is not a valid header
 */
export async function readHeader(path: string, lines: Lines): Promise<Header> {
  return parse(path, FIRST, headerSchema, await lines.next());
}

/** A line outside the rows: the start of a table, or the final row counts. */
export type Section = { table: Table } | { counts: Counts };

/**
 * Reads a line outside the rows of a table.
 * @throws StartError if it is neither the start of a table nor the final row counts
 */
export async function readSection(path: string, lines: Lines): Promise<Section> {
  const line = await lines.next();
  const [, name, columns] = /^COPY "(\w+)" \(("\w+"(?:, "\w+")*)\) FROM STDIN;$/.exec(line?.toString() ?? '') ?? [];
  if (name && columns) return { table: { name, columns: columns.slice(1, -1).split('", "') } };
  return { counts: parse(path, LAST, countsSchema, line) };
}

/** Bytes of rows that are sent at a time. */
const BLOCK = 64 * 1024;

/**
 * Yields the rows of a table in blocks.
 * @throws StartError if the file ends within the rows
 */
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

const NEWLINE = Buffer.from('\n');

function parse<T>(path: string, prefix: string, schema: z.ZodType<T>, line: Buffer | null): T {
  const text = line?.toString() ?? '';
  try {
    if (!text.startsWith(prefix)) throw new SyntaxError('something else');
    return schema.parse(JSON.parse(text.slice(prefix.length)));
  } catch {
    throw damaged(path);
  }
}
