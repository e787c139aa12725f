import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { MIGRATION_LOCKS } from '@/lib/platform/locks';
import { fileProblem, StartError } from '@/lib/platform/postgres/start-error';
import { claimWith, type EnvironmentClaim } from '../environment/claim';
import { withClient } from '../environment/connection';
import { type LockWait, takeSessionLock } from '../environment/lock-wait';
import { appliedMigrations } from '../environment/migrations';
import {
  beginHmac,
  type Counts,
  copyTo,
  countsLine,
  endOfRowsLine,
  type Header,
  headerLine,
  hmacLine,
  type Table,
  tableLine,
} from './format';
import { type DatabaseClaim, readDatabaseClaim, readTables } from './tables';

/** Session settings that make the text format of values independent of the database server's configuration. */
const SETTINGS = `SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET timezone = 'UTC';
  SET extra_float_digits = 1; SET bytea_output = 'hex'; SET statement_timeout = 0`;

/**
 * Writes a backup of the whole database to a new file with mode 0600. The backup is a consistent snapshot. Other
 * processes can read and write the database during the backup. The file gets its final name only after it is complete.
 * The backup contains no plaintext secrets. The memory use does not depend on the amount of data.
 * @param claim the environment and the secrets. The key for the backup's HMAC is derived from the environment and from
 *   the secret with which servers currently encrypt new values.
 * @param waiting how to wait for a running migration or restore.
 * @returns the number of rows per table, the names of the schema's tables that the backup does not contain, and whether
 *   a rotation of the secret is incomplete. If the rotation is incomplete, a restore needs both secrets.
 * @throws StartError if the file exists or cannot be written; EnvironmentError if the database is empty, or if a
 *   migration or restore does not end.
 */
export async function writeBackup(
  databaseUrl: string,
  path: string,
  claim: EnvironmentClaim,
  signal: AbortSignal,
  waiting: LockWait = {},
): Promise<{ counts: Counts; others: string[]; rotating: boolean }> {
  if (existsSync(path)) throw new StartError(`${path} already exists, and backups are never overwritten.`);
  const temporary = `${resolve(path)}.new`;
  const counts: Counts = {};
  try {
    const written = await withClient(databaseUrl, async (client) => {
      await client.query(SETTINGS);
      // Migrations wait for this lock until the backup ends. The lock is taken before BEGIN, so that the snapshot
      // includes every migration that committed before the lock was granted.
      await takeSessionLock(client, MIGRATION_LOCKS.backup, { undone: 'The backup was not made', ...waiting });
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      // Removes the temporary file of an interrupted backup. If another process creates the file again before this
      // backup does, the flag wx makes this backup fail.
      await rm(temporary, { force: true });
      const file = createWriteStream(temporary, { mode: 0o600, flags: 'wx', flush: true });
      const found = await readDatabaseClaim(client);
      const owner = claimWith(found.secrets_fingerprint, claim) ?? claim;
      const { tables, others } = await readTables(client);
      const header = await headerOf(client, found);
      const rows = content(client, header, tables, counts);
      await pipeline(Readable.from(withHmac(rows, owner)), createGzip(), file, { signal });
      await client.query('COMMIT');
      return { others, rotating: found.previous_fingerprint !== null };
    });
    await rename(temporary, path);
    return { counts, ...written };
  } catch (error) {
    await rm(temporary, { force: true });
    throw fileProblem(error, path) ?? error;
  }
}

async function* withHmac(chunks: AsyncIterable<Buffer>, claim: EnvironmentClaim): AsyncGenerator<Buffer> {
  const hmac = beginHmac(claim);
  for await (const chunk of chunks) {
    hmac.update(chunk);
    yield chunk;
  }
  yield hmacLine(hmac);
}

async function headerOf(client: pg.Client, claim: DatabaseClaim): Promise<Header> {
  const migrations = [...(await appliedMigrations(client))].sort();
  return { format: 2, ...claim, migrations, created_at: new Date().toISOString() };
}

async function* content(client: pg.Client, header: Header, tables: Table[], counts: Counts): AsyncGenerator<Buffer> {
  yield headerLine(header);
  for (const table of tables) {
    yield tableLine(table);
    const rows = client.query(to(copyTo(table)));
    for await (const chunk of rows) yield chunk as Buffer;
    yield endOfRowsLine;
    counts[table.name] = rows.rowCount;
  }
  yield countsLine(counts);
}
