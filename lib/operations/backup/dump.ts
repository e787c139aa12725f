import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { claimWith, type EnvironmentClaim } from '../environment/claim';
import type { LockWait } from '../environment/lock-wait';
import { appliedMigrations, pendingMigrations } from '../environment/migrations';
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
import { writeNewFile } from './new-file';
import { withSnapshot } from './snapshot';
import { type DatabaseClaim, readDatabaseClaim, readTables } from './tables';

/**
 * Writes a consistent snapshot of the database to a new file with mode 0600, without plaintext secrets. The file gets
 * its final name when it is complete. The memory use does not depend on the amount of data. `rotating`: a restore needs
 * both secrets.
 * @throws StartError if the file exists or cannot be written; EnvironmentError if the database is empty or of a newer
 * version, or if a migration or restore does not end.
 */
export async function writeBackup(
  databaseUrl: string,
  path: string,
  claim: EnvironmentClaim,
  signal: AbortSignal,
  waiting: LockWait = {},
): Promise<{ counts: Counts; others: string[]; rotating: boolean }> {
  const counts: Counts = {};
  return writeNewFile(path, 'backups', signal, (write) =>
    withSnapshot(databaseUrl, { undone: 'The backup was not made', ...waiting }, async (client) => {
      const found = await readDatabaseClaim(client);
      // Tables that a newer version has added would be missing without an error.
      await pendingMigrations(client, process.cwd());
      const owner = claimWith(found.secrets_fingerprint, claim) ?? claim;
      const { tables, others } = await readTables(client);
      const header = await headerOf(client, found);
      await write(withHmac(content(client, header, tables, counts), owner));
      return { counts, others, rotating: found.previous_fingerprint !== null };
    }),
  );
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
