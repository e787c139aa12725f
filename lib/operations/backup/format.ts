import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { StartError } from '@/lib/platform/postgres/start-error';

// A backup is compressed text: a header, the rows of each table in PostgreSQL's COPY format, and a last line with the
// number of rows. psql can read it.

const FIRST = '-- partner-booking backup ';
const LAST = '-- end ';

/** Ends the rows of a table. No row equals it, since COPY escapes backslashes. */
const END_OF_ROWS = '\\.';

const headerSchema = z.object({
  format: z.literal(1),
  environment: z.enum(['TEST', 'LIVE']),
  /** Identifies the secret without revealing it. */
  secrets_fingerprint: z.string(),
  /** The names of all applied migrations. */
  migrations: z.array(z.string()),
  created_at: z.iso.datetime(),
});

/** The header of a backup. */
export type Header = z.infer<typeof headerSchema>;

const countsSchema = z.record(z.string(), z.int());

/** The number of rows per table. */
export type Counts = z.infer<typeof countsSchema>;

/** A table and its stored columns, without the generated ones. */
export type Table = { name: string; columns: string[] };

/** Returns the header as the first line. */
export const headerLine = (header: Header) => Buffer.from(`${FIRST}${JSON.stringify(header)}\n`);

/** Returns the lines before and after the rows of a table. */
export const tableLine = (table: Table) => Buffer.from(`${copyFrom(table)};\n`);
export const endOfRows = Buffer.from(`${END_OF_ROWS}\n`);

/** Returns the counts as the last line. */
export const countsLine = (counts: Counts) => Buffer.from(`${LAST}${JSON.stringify(counts)}\n`);

const list = (columns: string[]) => columns.map((column) => `"${column}"`).join(', ');

/** Returns the statement that reads the rows of a table. */
export const copyTo = ({ name, columns }: Table) => `COPY "${name}" (${list(columns)}) TO STDOUT`;

/** Returns the statement that writes the rows of a table. */
export const copyFrom = ({ name, columns }: Table) => `COPY "${name}" (${list(columns)}) FROM STDIN`;

/** The lines of an open backup, without line ends; `close` stops reading early. */
export type Lines = { next: () => Promise<Buffer | null>; close: () => void };

/** Opens a backup. Lines are read on demand, since the file may be larger than memory. */
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
  if (code === 'ENOENT' || code === 'EISDIR') return new StartError(`There is no backup ${path}.`);
  if (code === 'EACCES' || code === 'EPERM') return new StartError(`No permission to read ${path}.`);
  return code.startsWith('Z_') ? damaged(path) : error;
}

/** Returns the error of an incomplete or changed file. */
export function damaged(path: string): StartError {
  return new StartError(`${path} is damaged, or no backup of this system.`);
}

/**
 * Parses the header of a backup.
 * @throws StartError when it is missing or invalid
 */
export async function readHeader(path: string, lines: Lines): Promise<Header> {
  return parse(path, FIRST, headerSchema, await lines.next());
}

/** A line between the rows of two tables: the next table, or the counts at the end. */
export type Section = { table: Table } | { counts: Counts };

/**
 * Parses the next line between tables.
 * @throws StartError when it is neither a table nor the end
 */
export async function readSection(path: string, lines: Lines): Promise<Section> {
  const line = await lines.next();
  const [, name, columns] = /^COPY "(\w+)" \(("\w+"(?:, "\w+")*)\) FROM STDIN;$/.exec(line?.toString() ?? '') ?? [];
  if (name && columns) return { table: { name, columns: columns.slice(1, -1).split('", "') } };
  return { counts: parse(path, LAST, countsSchema, line) };
}

/** Bytes of rows per block. */
const BLOCK = 64 * 1024;

/**
 * Yields the rows of a table in blocks.
 * @throws StartError when the file ends early
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
