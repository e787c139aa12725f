import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { createPartition, missingDays } from '@/lib/activity/request-log/partitions';
import { MIGRATION_LOCKS } from '@/lib/platform/locks';
import { StartError } from '@/lib/platform/postgres/start-error';
import { claimWith, type EnvironmentClaim } from '../environment/claim';
import { withClient } from '../environment/connection';
import { type LockWait, takeSessionLock } from '../environment/lock-wait';
import { appliedMigrations } from '../environment/migrations';
import { BOUNDS, daysBefore } from '../retention/settings';
import {
  type Counts,
  copyFrom,
  damaged,
  type Header,
  openBackup,
  readHeader,
  readHmac,
  readRows,
  readSection,
  type Table,
} from './format';
import type { Lines } from './lines';
import { LOADING } from './snapshot';
import { findNonEmptyTable, readTables } from './tables';

/**
 * Returns the environment and the secret with which the backup's HMAC was made.
 * @throws StartError if the environment differs or a secret is missing.
 */
function checkHeader(header: Header, claim: EnvironmentClaim): EnvironmentClaim {
  if (header.environment !== claim.environment) {
    throw new StartError(
      `This backup belongs to a ${header.environment} environment, but ENVIRONMENT is ${claim.environment}. Restore the backup in a ${header.environment} environment.`,
    );
  }
  const owner = claimWith(header.secrets_fingerprint, claim);
  const previous = header.previous_fingerprint ?? null;
  if (previous !== null && !(owner && claimWith(previous, claim))) {
    throw new StartError(
      'This backup was made during a rotation of SECRET_KEY and needs both keys: set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the previous key of that rotation.',
    );
  }
  if (!owner) {
    throw new StartError('This backup was made with a different SECRET_KEY. Restore it with that SECRET_KEY.');
  }
  return owner;
}

async function ownerOf(path: string, claim: EnvironmentClaim): Promise<EnvironmentClaim> {
  const lines = openBackup(path, claim);
  try {
    return checkHeader(await readHeader(path, lines), claim);
  } finally {
    lines.close();
  }
}

type OpenBackup = { path: string; header: Header; lines: Lines };

/** @throws StartError if the header is not valid, or like `checkHeader` */
async function withBackup<T>(
  path: string,
  claim: EnvironmentClaim,
  work: (backup: OpenBackup) => Promise<T>,
): Promise<T> {
  const lines = openBackup(path, await ownerOf(path, claim));
  try {
    const header = await readHeader(path, lines);
    checkHeader(header, claim);
    return await work({ path, header, lines });
  } finally {
    lines.close();
  }
}

/**
 * Reads a whole backup and verifies its HMAC. Call this before `loadBackup`, so that no data from a changed backup
 * reaches the database.
 * @throws StartError if the backup is damaged, was changed, or belongs to another environment or secret.
 */
export async function verifyBackup(path: string, claim: EnvironmentClaim): Promise<void> {
  await withBackup(path, claim, (backup) => readSections(backup, (_, rows) => countRows(rows)));
}

async function countRows(blocks: AsyncIterable<Buffer>): Promise<number> {
  let rows = 0;
  for await (const block of blocks) {
    for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, end + 1)) rows += 1;
  }
  return rows;
}

/**
 * Loads a backup into a migrated, empty database in one transaction. The memory use does not depend on the amount of
 * data. Returns the number of rows per table, and when the backup was made.
 * @throws StartError if the database is not empty, if its migrations differ from the backup's, or if the backup is
 * damaged or has a table or a column that the database does not have.
 */
export async function loadBackup(
  databaseUrl: string,
  path: string,
  claim: EnvironmentClaim,
  signal: AbortSignal,
  waiting: LockWait = {},
): Promise<{ counts: Counts; createdAt: string }> {
  return withBackup(path, claim, (backup) =>
    withClient(databaseUrl, async (client) => {
      // After an error, `withClient` closes the connection, which releases this lock and rolls back the transaction.
      await takeSessionLock(client, MIGRATION_LOCKS.migrate, { undone: 'The backup was not restored', ...waiting });
      await client.query('BEGIN');
      await client.query(LOADING);
      const { tables } = await readTables(client);
      const nonEmpty = await findNonEmptyTable(client, tables);
      if (nonEmpty)
        throw new StartError(`This database is not empty (${nonEmpty} has rows): restore into a new database.`);
      checkVersion(backup.header, await appliedMigrations(client));
      const createIndexes = await dropIndexes(client, tables);
      await preparePartitions(client, new Date(backup.header.created_at));
      const counts = await readSections(backup, async (table, rows) => {
        if (!isKnown(table, tables)) throw damaged(path);
        const into = client.query(from(copyFrom(table)));
        await pipeline(Readable.from(rows), into, { signal });
        return into.rowCount;
      });
      if (tables.some(({ name }) => counts[name] === undefined)) throw damaged(path);
      await createIndexes();
      await client.query('COMMIT');
      await client.query('ANALYZE');
      return { counts, createdAt: backup.header.created_at };
    }),
  );
}

// Prevents a COPY into a system table of PostgreSQL, such as pg_authid.
function isKnown({ name, columns }: Table, tables: readonly Table[]): boolean {
  const known = tables.find((table) => table.name === name);
  return known !== undefined && columns.every((column) => known.columns.includes(column));
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

/** All entries would otherwise be in the default partition. */
async function preparePartitions(client: pg.Client, createdAt: Date): Promise<void> {
  const oldest = daysBefore(createdAt, BOUNDS.request_log_days.max + 1);
  for (const day of await missingDays(client, oldest, createdAt)) await createPartition(client, day);
}

/**
 * `load` processes the rows of a table and returns their number.
 * @throws StartError if the backup is damaged or its HMAC is wrong.
 */
async function readSections(
  { path, lines }: OpenBackup,
  load: (table: Table, rows: AsyncIterable<Buffer>) => Promise<number>,
): Promise<Counts> {
  const loaded: Counts = {};
  for (let section = await readSection(path, lines); ; section = await readSection(path, lines)) {
    if ('counts' in section) {
      const names = Object.keys({ ...section.counts, ...loaded });
      const { counts } = section;
      if (names.some((name) => counts[name] !== loaded[name])) throw damaged(path);
      await readHmac(path, lines);
      return loaded;
    }
    loaded[section.table.name] = await load(section.table, readRows(path, lines));
  }
}

// A restore creates the indexes and the constraints that use them after the rows. PostgreSQL then builds each index in
// one pass, and checks each foreign key with one join. Otherwise, each row would cost an insertion at a random place of
// every index, and a query per foreign key. Check and NOT NULL constraints are not dropped.

/** With the default, 64 MB, PostgreSQL would sort large tables on disk. */
const INDEX_MEMORY = '256MB';

/** The names are quoted. */
type Definition = { kind: 'foreign key' | 'constraint' | 'index'; table: string; name: string; definition: string };

// PostgreSQL defines an index on a partitioned table with the word ONLY. Without it, CREATE INDEX also creates the
// index on each partition.
const DEFINITIONS = `
  SELECT CASE contype WHEN 'f' THEN 'foreign key' ELSE 'constraint' END AS kind, conrelid::regclass::text AS "table",
    quote_ident(conname) AS name, pg_get_constraintdef(c.oid) AS definition
  FROM pg_constraint c JOIN pg_class t ON t.oid = CASE contype WHEN 'f' THEN confrelid ELSE conrelid END
  WHERE contype IN ('p', 'u', 'x', 'f') AND conparentid = 0
    AND t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1)
  UNION ALL
  SELECT 'index', indrelid::regclass::text, indexrelid::regclass::text,
    replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
  FROM pg_index JOIN pg_class t ON t.oid = indrelid
  WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1)
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
  ORDER BY 1 DESC, 2, 3`;

/** Drops the indexes and the constraints that use them. The returned function creates and verifies them again. */
async function dropIndexes(client: pg.Client, tables: readonly Table[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<Definition>(DEFINITIONS, [tables.map(({ name }) => name)]);
  const of = (kind: Definition['kind']) => rows.filter((row) => row.kind === kind);
  const [references, constraints, indexes] = [of('foreign key'), of('constraint'), of('index')];
  for (const { table, name } of [...references, ...constraints]) {
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  return async () => {
    await client.query(`SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'`);
    for (const { definition } of indexes) await client.query(definition);
    // Foreign keys come last, because each needs a unique index on the columns to which it refers.
    for (const { table, name, definition } of [...constraints, ...references]) {
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
  };
}
