import type pg from 'pg';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { MIGRATION_LOCKS, TENANTS_LOCK } from '@/lib/platform/locks';
import { StartError } from '@/lib/platform/postgres/start-error';
import { skeletonOf } from '@/lib/platform/text/skeleton';
import { isOlderRules, ZONE_RULES } from '@/lib/platform/time-zones';
import { type Counts, readRows, readSection, type Table } from '../backup/format';
import { damagedFile, type Lines } from '../backup/lines';
import { LOADING, TEXT_SETTINGS } from '../backup/snapshot';
import { readTables } from '../backup/tables';
import { withClient } from '../environment/connection';
import { type LockWait, takeSessionLock } from '../environment/lock-wait';
import { appliedMigrations } from '../environment/migrations';
import { type Accounts, decodeRows, isAccountTable, loadAccountRows, replaceIds } from './accounts';
import { type ExportHeader, hashKeysFingerprint } from './export-format';
import { tenantNamedLike } from './names';
import { readExport, verifyExport } from './signed-file';
import { TENANT_TABLES } from './tables';

/** unique_violation. */
const DUPLICATE = '23505';

/** `starts` are those of keys that are not revoked. Null if an earlier version issued a key without storing it. */
export type Imported = ExportHeader['tenant'] & { counts: Counts; starts: (string | null)[] };

/**
 * Imports a sealed export into this deployment, in one transaction. Keys, references, versions, and stored responses
 * remain as they were. The imported tenant is suspended. A person who already has an account here with the same email
 * address keeps that account. The memory use does not depend on the amount of data.
 * @param databaseUrl a URL that leads to PostgreSQL itself, not to a connection pooler. A tenant that was deleted in this
 *   deployment needs the role that owns the tables.
 * @param waiting how to wait for a running migration or restore.
 * @throws StartError if the file is damaged or is a readable export, if it comes from a deployment with another
 *   environment, secret, or version, or with newer time zone rules, if the tenant exists, or if it was deleted and the role does not own the tables.
 */
export async function importTenant(
  now: Date,
  databaseUrl: string,
  path: string,
  signal: AbortSignal,
  waiting: LockWait = {},
): Promise<Imported> {
  const header = await verifyExport(path);
  checkOrigin(header);
  return withClient(databaseUrl, async (client) => {
    await client.query(TEXT_SETTINGS);
    await takeSessionLock(client, MIGRATION_LOCKS.backup, { undone: 'The tenant was not imported', ...waiting });
    // After an error, `withClient` closes the connection, which rolls the transaction back.
    await client.query('BEGIN');
    await client.query(LOADING);
    await client.query(TENANTS_LOCK);
    checkVersion(header, await appliedMigrations(client));
    await refuseExisting(client, header.tenant);
    const counts = await load(client, header.tenant.id, path, signal).catch((error: unknown) => {
      throw duplicateProblem(error) ?? error;
    });
    await refuseNewerRules(client, header.tenant.id);
    await complete(client, now, header);
    const { rows } = await client.query<{ start: string | null }>(STARTS, [header.tenant.id]);
    await client.query('COMMIT');
    return { ...header.tenant, counts, starts: rows.map(({ start }) => start) };
  });
}

const STARTS = `
  SELECT k.start FROM api_keys k JOIN applications a ON a.id = k.application_id
  WHERE a.tenant_id = $1 AND k.revoked_at IS NULL ORDER BY k.start`;

function checkOrigin({ environment, readable, hash_keys_fingerprint }: ExportHeader): void {
  if (environment !== env().ENVIRONMENT)
    throw new StartError(
      `This export belongs to a ${environment} environment, but ENVIRONMENT is ${env().ENVIRONMENT}.`,
    );
  if (readable) throw new StartError('A readable export cannot be imported. Export the tenant without --readable.');
  if (hash_keys_fingerprint !== hashKeysFingerprint())
    throw new StartError(
      "Partners' API keys would not work in this deployment, because the two deployments were created with different values of SECRET_KEY. Rotating SECRET_KEY to the same value does not help, because stored API keys are always checked with the first value. Import the tenant into a deployment that was created with the same SECRET_KEY.",
    );
}

function checkVersion({ migrations }: ExportHeader, applied: Set<string>): void {
  if (migrations.length === applied.size && migrations.every((name) => applied.has(name))) return;
  throw new StartError(
    `This export was made by another version: its last migration is ${migrations.at(-1)}. Bring both deployments to the same version, and export the tenant again.`,
  );
}

const RULES = `
  SELECT (SELECT zone_rules FROM environment) AS here, max(zone_rules COLLATE "C") AS there
  FROM (SELECT zone_rules FROM tenants WHERE id = $1 UNION ALL SELECT zone_rules FROM bookings WHERE tenant_id = $1) AS r`;

/** Refuses bookings that were derived with newer rules: this deployment would derive their instants with older ones. */
async function refuseNewerRules(client: pg.Client, tenantId: string): Promise<void> {
  const { rows } = await client.query<Record<'here' | 'there', string | null>>(RULES, [tenantId]);
  const { here = null, there = null } = rows[0] ?? {};
  const used = here !== null && isOlderRules(here, ZONE_RULES) ? here : ZONE_RULES;
  if (there !== null && isOlderRules(used, there))
    throw new StartError(
      `Nothing was imported: the bookings of this export have the time zone rules ${there}, but this deployment uses ${used}. Start a release with the rules ${there} or newer here, and import the tenant again.`,
    );
}

// The trigger `kept_insert` refuses the same.
const DELETED = `
  SELECT FROM tenant_deletions
  WHERE tenant_id = $1 AND NOT pg_has_role((SELECT relowner FROM pg_class WHERE oid = to_regclass('tenants')), 'USAGE')`;

async function refuseExisting(client: pg.Client, { id, name }: ExportHeader['tenant']): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM tenants WHERE id = $1', [id]);
  if (rowCount) throw new StartError(`${name} (${id}) already exists in this deployment.`);
  const deleted = await client.query(DELETED, [id]);
  if (deleted.rowCount)
    throw new StartError(
      `${name} (${id}) was deleted here. To import it again, set MIGRATION_DATABASE_URL to a URL of the role that owns the database.`,
    );
  const same = await tenantNamedLike(client, name);
  if (same)
    throw new StartError(
      `The name ${name} is or looks like the name of ${same} in this deployment. Change one of the two names first.`,
    );
}

function duplicateProblem(error: unknown): StartError | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== DUPLICATE) return null;
  const { table, constraint } = error as { table?: string; constraint?: string };
  return new StartError(
    `Nothing was imported: a row of ${table} already exists in this deployment (${constraint}). If a deletion of this tenant was interrupted, finish it first.`,
  );
}

/** The file may have changed after the first check of its signature. */
async function load(client: pg.Client, tenantId: string, path: string, signal: AbortSignal): Promise<Counts> {
  const { tables } = await readTables(client);
  const accounts: Accounts = { kept: new Set(), ids: new Map() };
  const counts: Counts = {};
  await readExport(path, undefined, async (_, lines) => {
    for (let section = await readSection(path, lines); ; section = await readSection(path, lines)) {
      if ('counts' in section) {
        const expected = Object.entries(section.counts);
        if (expected.length !== TENANT_TABLES.size || expected.some(([name, count]) => counts[name] !== count))
          throw damagedFile(path, 'export');
        return;
      }
      const { table } = section;
      if (!isKnown(table, tables)) throw damagedFile(path, 'export');
      counts[table.name] = await loadTable(client, table, { tenantId, path, lines, accounts, signal });
    }
  });
  return counts;
}

// Otherwise, a file could insert rows into any table.
function isKnown({ name, columns }: Table, tables: readonly Table[]): boolean {
  const known = TENANT_TABLES.has(name) ? tables.find((table) => table.name === name) : undefined;
  return known !== undefined && columns.every((column) => known.columns.includes(column));
}

type Source = { tenantId: string; path: string; lines: Lines; accounts: Accounts; signal: AbortSignal };

async function loadTable(client: pg.Client, table: Table, source: Source): Promise<number> {
  const { path, lines, accounts, signal } = source;
  const rows = readRows(path, lines);
  if (isAccountTable(table.name)) return loadAccountRows(client, table, rows, source);
  return insertRows(client, table, replaceIds(rows, accounts), signal);
}

const TYPES = `
  SELECT attname::text AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
  WHERE attrelid = to_regclass(quote_ident($1)) AND attnum > 0 AND NOT attisdropped`;

/** PostgreSQL refuses COPY into a table with row-level security, even if every row would be allowed. */
async function insertRows(
  client: pg.Client,
  { name, columns }: Table,
  blocks: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<number> {
  const { rows: attributes } = await client.query<{ name: string; type: string }>(TYPES, [name]);
  const typeOf = new Map(attributes.map((attribute) => [attribute.name, attribute.type]));
  const [into, selected, given] = [
    columns.map((column) => `"${column}"`),
    columns.map((column) => `"${column}"::${typeOf.get(column)}`),
    columns.map((_, index) => `$${index + 1}::text[]`),
  ];
  const insert = `INSERT INTO "${name}" (${into}) SELECT ${selected} FROM unnest(${given}) AS rows (${into})`;
  let inserted = 0;
  for await (const block of blocks) {
    signal.throwIfAborted();
    const rows = decodeRows(block);
    await client.query(
      insert,
      columns.map((_, index) => rows.map((row) => row[index] ?? null)),
    );
    inserted += rows.length;
  }
  return inserted;
}

/** `$1` is the time of the export. Its counts can lack the last two hours, because they come with a delay. */
const RECOUNT = `
  UPDATE request_counts_progress
  SET counted_until = least(counted_until, date_trunc('hour', $1::timestamptz, 'UTC') - interval '2 hours')`;

async function complete(
  client: pg.Client,
  now: Date,
  { tenant: { id, name }, created_at }: ExportHeader,
): Promise<void> {
  await client.query(
    'UPDATE tenants SET suspended_at = coalesce(suspended_at, $2), elsewhere_since = NULL, name_skeleton = $3 WHERE id = $1',
    [id, now, skeletonOf(name)],
  );
  await client.query(RECOUNT, [created_at]);
  await client.query(
    `INSERT INTO audit_log (id, at, tenant_id, actor_kind, action, object_kind, object_id, after)
     VALUES ($1, $2, $3, 'operator', 'tenant.imported', 'tenant', $3, jsonb_build_object('exported_at', $4::text))`,
    [newId('aud'), now, id, created_at],
  );
}
