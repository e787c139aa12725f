import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { createPartition, missingDays } from '@/lib/activity/request-log/partitions';
import { MIGRATION_LOCKS } from '@/lib/platform/locks';
import { StartError } from '@/lib/platform/postgres/start-error';
import { type EnvironmentClaim, secretsFingerprint } from '../environment/claim';
import { withClient } from '../environment/connection';
import { appliedMigrations } from '../environment/migrations';
import { BOUNDS, daysBefore } from '../retention/settings';
import { type Counts, copyFrom, damaged, type Header, type Lines, readRows, readSection } from './format';
import { findNonEmptyTable, orderedTables } from './tables';

/**
 * Checks that a backup was made in the environment, and with the secret, with which this process starts.
 * @throws StartError if the environment or the secret differs.
 */
export function checkHeader(header: Header, claim: EnvironmentClaim): void {
  if (header.environment !== claim.environment) {
    throw new StartError(
      `This backup belongs to a ${header.environment} environment, but ENVIRONMENT is ${claim.environment}.`,
    );
  }
  if (header.secrets_fingerprint !== secretsFingerprint(claim)) {
    throw new StartError('This backup was made with a different SECRET_KEY. Restore it with that SECRET_KEY.');
  }
}

/** An open backup whose header has been read. */
export type OpenBackup = { path: string; header: Header; lines: Lines };

/**
 * Loads a backup into a migrated, empty database in one transaction. The memory use does not depend on the amount of
 * data.
 * @returns the number of loaded rows per table.
 * @throws StartError if the database is not empty, if it has other migrations than the backup, or if the backup is
 *   damaged.
 */
export async function loadBackup(databaseUrl: string, backup: OpenBackup, signal: AbortSignal): Promise<Counts> {
  return withClient(databaseUrl, async (client) => {
    // If an error occurs, `withClient` closes the connection, which rolls back this transaction.
    await client.query('BEGIN');
    await client.query(MIGRATION_LOCKS.restore);
    const tables = await orderedTables(client);
    const nonEmpty = await findNonEmptyTable(client, tables);
    if (nonEmpty) throw new StartError(`This database is not empty (${nonEmpty} has rows): restore into a new one.`);
    checkVersion(backup.header, await appliedMigrations(client));
    await preparePartitions(client, new Date(backup.header.created_at));
    const counts = await loadTables(client, backup, signal);
    if (tables.some(({ name }) => counts[name] === undefined)) throw damaged(backup.path);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return counts;
  });
}

function checkVersion({ migrations }: Header, applied: Set<string>): void {
  const unknown = migrations.filter((name) => !applied.has(name)).at(-1);
  if (unknown) {
    throw new StartError(
      `This backup was made by a newer version: its migration ${unknown} is unknown here. Restore it with that version.`,
    );
  }
  if (applied.size === migrations.length) return;
  throw new StartError(
    `This backup was made by an older version: its last migration is ${migrations.at(-1)}. Restore it into a new database with that version, then start this version.`,
  );
}

/**
 * Creates the partitions of the request log for the days of the backup. Without them, all log entries would be stored
 * in the default partition.
 */
async function preparePartitions(client: pg.Client, createdAt: Date): Promise<void> {
  const oldest = daysBefore(createdAt, BOUNDS.request_log_days.max + 1);
  for (const day of await missingDays(client, oldest, createdAt)) await createPartition(client, day);
}

async function loadTables(client: pg.Client, { path, lines }: OpenBackup, signal: AbortSignal): Promise<Counts> {
  const loaded: Counts = {};
  for (let section = await readSection(path, lines); ; section = await readSection(path, lines)) {
    if ('counts' in section) {
      const names = Object.keys({ ...section.counts, ...loaded });
      const { counts } = section;
      if (names.some((name) => counts[name] !== loaded[name])) throw damaged(path);
      return loaded;
    }
    const into = client.query(from(copyFrom(section.table)));
    await pipeline(Readable.from(readRows(path, lines)), into, { signal });
    loaded[section.table.name] = into.rowCount;
  }
}
