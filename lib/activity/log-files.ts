import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises';
import type pg from 'pg';
import { inTransaction } from '@/lib/platform/db';
import { type IdPrefix, idBound } from '@/lib/platform/ids';
import { fileLock } from '@/lib/platform/locks';

/** Another program of the file's group can forward it. Other users cannot read it. */
const MODE = 0o640;
/** O_NONBLOCK prevents blocking on a pipe without a reader. */
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

/** Milliseconds. Until then, a transaction can add an entry with a lower id, or a sign-in can change its row. */
const SETTLED = 120_000;
const BATCH = 1_000;
/** Per run and table. The next run continues. */
const MAX_BATCHES = 100;

type Source = { table: string; id: string; prefix: IdPrefix; columns: string };

const AUDIT: readonly Source[] = [
  { table: 'audit_log', id: 'id', prefix: 'aud', columns: '*' },
  { table: 'sign_ins', id: 'id', prefix: 'sgn', columns: '*' },
  { table: 'refused_calls', id: 'id', prefix: 'rfc', columns: '*' },
];
const REQUESTS: readonly Source[] = [
  {
    table: 'request_log',
    id: 'request_id',
    prefix: 'req',
    columns: `*, encode(idempotency_key_hash, 'hex') AS idempotency_key_hash`,
  },
];

/** The id of the last entry of each table that is in the file. */
type Position = Record<string, string>;

/** Appends the audit entries, sign-ins, and refused calls of all tenants to a file. The first run appends all. */
export function copyAudit(now: Date, path: string): Promise<{ lines: number }> {
  return copy(AUDIT, now, { path, setting: 'AUDIT_LOG_FILE', from: '' });
}

/** Appends the entries of the request log to a file. The first run only notes the time from which later runs append. */
export function copyRequests(now: Date, path: string): Promise<{ lines: number }> {
  return copy(REQUESTS, now, { path, setting: 'REQUEST_LOG_FILE', from: idBound('req', settled(now)) });
}

function settled(now: Date): Date {
  return new Date(now.getTime() - SETTLED);
}

type Target = { path: string; setting: string; from: string };

/** `<path>.position` is written after the rows, so after a crash a batch can be in the file twice, but no row is missing. */
async function copy(sources: readonly Source[], now: Date, { path, setting, from }: Target) {
  const file = await openFile(path, setting);
  let lines = 0;
  try {
    for (const { table, id, prefix, columns } of sources) {
      const sql = `SELECT ${columns} FROM ${table} WHERE ${id} > $1 AND ${id} < $2 ORDER BY ${id} LIMIT ${BATCH}`;
      const appendBatch = async (client: pg.ClientBase) => {
        const position = await readPosition(path);
        const after = position[table] ?? from;
        const { rows } = await client.query<Record<string, string>>(sql, [after, idBound(prefix, settled(now))]);
        await append(file, rows.map((row) => `${JSON.stringify({ table, ...row })}\n`).join(''));
        const last = rows.at(-1)?.[id] ?? after;
        if (position[table] !== last) await writePosition(path, { ...position, [table]: last });
        return rows.length;
      };
      for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
        const appended = await inTransaction([fileLock(path)], appendBatch);
        lines += appended;
        if (appended < BATCH) break;
      }
    }
  } finally {
    await file.close();
  }
  return { lines };
}

/** Opens a file, and ends a line of which only a part was written, for example to a full disk. */
async function openFile(path: string, setting: string): Promise<FileHandle> {
  const file = await open(path, FLAGS, MODE);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${setting} must be the path of a regular file.`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(stats.size - 1, 0));
    if (bytesRead > 0 && buffer[0] !== 0x0a) await append(file, '\n');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function append(file: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const { bytesWritten } = await file.write(bytes);
  if (bytesWritten < bytes.length) throw new Error('Only part of the lines was written.');
}

async function readPosition(path: string): Promise<Position> {
  try {
    return JSON.parse(await readFile(`${path}.position`, 'utf8')) as Position;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

async function writePosition(path: string, position: Position): Promise<void> {
  await writeFile(`${path}.position.new`, JSON.stringify(position), { mode: MODE });
  await rename(`${path}.position.new`, `${path}.position`);
}
