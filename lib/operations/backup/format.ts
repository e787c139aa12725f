import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { StartError } from '@/lib/platform/postgres/start-error';
import { deriveSecret } from '@/lib/platform/secrets';
import type { EnvironmentClaim } from '../environment/claim';

// A backup is compressed text. After decompression, the text is readable, and psql can load it. The text starts with a
// header line. The rows of each table follow in PostgreSQL's COPY format. After all tables, the second-last line
// contains the number of rows per table, and the last line contains the HMAC of everything before it.

const FIRST = '-- partner-booking backup ';
const COUNTS = '-- end ';
const LAST = '-- hmac ';

const NEWLINE = Buffer.from('\n');

/**
 * The line after the last row of a table. No row can look like this line, because COPY doubles the backslashes in
 * values.
 */
const END_OF_ROWS = '\\.';

const headerSchema = z.object({
  /** Format 1 had no HMAC, so `readHeader` refuses it. */
  format: z.literal([1, 2]),
  environment: z.enum(['TEST', 'LIVE']),
  /** The fingerprint of the deployment's secret. The secret cannot be derived from the fingerprint. */
  secrets_fingerprint: z.string(),
  /** The fingerprint of the previous secret, if the backup was made while the secret was being rotated. */
  previous_fingerprint: z.string().nullish(),
  /** The names of the applied migrations. */
  migrations: z.array(z.string()),
  created_at: z.iso.datetime(),
});

/** The header of a backup, which is its first line. */
export type Header = z.infer<typeof headerSchema>;

const countsSchema = z.record(z.string(), z.int());

/** The number of rows per table. */
export type Counts = z.infer<typeof countsSchema>;

/** A table and the names of its columns in the backup. Generated columns are omitted. */
export type Table = { name: string; columns: string[] };

/** Returns the first line of a backup, which contains the header. */
export const headerLine = (header: Header) => Buffer.from(`${FIRST}${JSON.stringify(header)}\n`);

/** Returns the line before the rows of a table. */
export const tableLine = (table: Table) => Buffer.from(`${copyFrom(table)};\n`);
export const endOfRowsLine = Buffer.from(`${END_OF_ROWS}\n`);

/** Returns the line with the number of rows per table. */
export const countsLine = (counts: Counts) => Buffer.from(`${COUNTS}${JSON.stringify(counts)}\n`);

/**
 * Starts the HMAC of a backup. A restore accepts only a backup with a valid HMAC. Someone who can change the file but
 * does not have the secret therefore cannot create a backup that a restore accepts.
 */
export function beginHmac({ secretKey, environment }: EnvironmentClaim): Hmac {
  return createHmac('sha256', deriveSecret(secretKey, environment, 'backup'));
}

/** Returns the last line of a backup, which contains the HMAC of everything before it. */
export const hmacLine = (hmac: Hmac) => Buffer.from(`${LAST}${hmac.digest('hex')}\n`);

const list = (columns: string[]) => columns.map((column) => `"${column}"`).join(', ');

/**
 * Returns the statement that reads the rows of a table. The statement contains a query instead of the table's name,
 * because COPY cannot read a partitioned table by its name.
 */
export const copyTo = ({ name, columns }: Table) => `COPY (SELECT ${list(columns)} FROM "${name}") TO STDOUT`;

/** Returns the statement that inserts rows into a table. */
export const copyFrom = ({ name, columns }: Table) => `COPY "${name}" (${list(columns)}) FROM STDIN`;

/**
 * The lines of an open backup. `next` returns the next line without its line break, or null after the last line.
 * `close` closes the backup, even if not all lines have been read. `digest` returns the HMAC of all lines that `next`
 * has returned, and must be called only once.
 */
export type Lines = { next: () => Promise<Buffer | null>; close: () => void; digest: () => string };

/** Opens a backup. Its lines are read one at a time, because a backup can be larger than the available memory. */
export function openBackup(path: string, claim: EnvironmentClaim): Lines {
  const file = createReadStream(path);
  const text = file.on('error', (error) => text.destroy(error)).pipe(createGunzip());
  const lines = split(path, text);
  let hmac: Hmac | null = beginHmac(claim);
  return {
    digest: () => {
      const digest = hmac?.digest('hex') ?? '';
      hmac = null;
      return digest;
    },
    next: async () => {
      const { value, done } = await lines.next().catch((error: unknown) => {
        throw readProblem(path, error);
      });
      if (done) return null;
      hmac?.update(value).update(NEWLINE);
      return value;
    },
    close: () => {
      file.destroy();
      text.destroy();
    },
  };
}

/** Maximum length of a line in bytes. The rows of this system are far shorter. */
const MAX_LINE = 16 * 1024 * 1024;

async function* split(path: string, text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_LINE)
      throw new StartError(
        `${path} has a line of more than 16 MiB, so it is damaged or is not a backup of this system.`,
      );
  };
  for await (const chunk of text) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, end));
      yield pieces.length > 1 ? Buffer.concat(pieces) : chunk.subarray(from, end);
      pieces = [];
      length = 0;
      from = end + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (length > 0) yield Buffer.concat(pieces);
}

function readProblem(path: string, error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'EISDIR')
    return new StartError(`The backup ${path} does not exist or is a directory.`);
  if (code === 'EACCES' || code === 'EPERM') return new StartError(`No permission to read ${path}.`);
  return code.startsWith('Z_') ? damaged(path) : error;
}

/** Returns the error for a file that is not a backup, is incomplete, or was changed. */
export function damaged(path: string): StartError {
  return new StartError(`${path} is damaged or is not a backup of this system.`);
}

/**
 * Reads the first line of a backup.
 * @throws StartError if the line is not a valid header.
 */
export async function readHeader(path: string, lines: Lines): Promise<Header> {
  const header = parse(path, FIRST, headerSchema, await lines.next());
  if (header.format === 2) return header;
  throw new StartError(
    'This backup was made by a version that did not protect backups against changes: restore it with that version, then start this version.',
  );
}

/**
 * Reads the last line of a backup.
 * @throws StartError if the line does not contain the HMAC of all lines before it, or if another line follows.
 */
export async function readHmac(path: string, lines: Lines): Promise<void> {
  const expected = Buffer.from(LAST + lines.digest());
  const line = await lines.next();
  if (line?.length !== expected.length || !timingSafeEqual(line, expected)) throw damaged(path);
  if ((await lines.next()) !== null) throw damaged(path);
}

/** A parsed line that is not a row of a table. It is either the start of a table, or the number of rows per table. */
export type Section = { table: Table } | { counts: Counts };

/**
 * Reads the next line, which must not be a row of a table.
 * @throws StartError if the line is neither the start of a table nor the number of rows per table.
 */
export async function readSection(path: string, lines: Lines): Promise<Section> {
  const line = await lines.next();
  const [, name, columns] = /^COPY "(\w+)" \(("\w+"(?:, "\w+")*)\) FROM STDIN;$/.exec(line?.toString() ?? '') ?? [];
  if (name && columns) return { table: { name, columns: columns.slice(1, -1).split('", "') } };
  return { counts: parse(path, COUNTS, countsSchema, line) };
}

/**
 * Minimum size in bytes of a block of rows that is sent to the database. Only the last block of a table can be smaller.
 */
const BLOCK = 64 * 1024;

/**
 * Yields the rows of a table in blocks.
 * @throws StartError if the file ends before the last row of the table.
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

function parse<T>(path: string, prefix: string, schema: z.ZodType<T>, line: Buffer | null): T {
  const text = line?.toString() ?? '';
  try {
    if (!text.startsWith(prefix)) throw new SyntaxError('something else');
    return schema.parse(JSON.parse(text.slice(prefix.length)));
  } catch {
    throw damaged(path);
  }
}
