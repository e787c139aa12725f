import type pg from 'pg';
import type { parseSettings } from '@/lib/platform/env';
import { type EnvironmentClaim, findClaim, refuseOthers } from '../environment/claim';
import { EnvironmentError, withClient } from '../environment/connection';
import { pendingMigrations, requirePostgres } from '../environment/migrations';
import { checkPooler, requireDirect } from '../environment/pooler';
import { connectionShortage, findServerProcesses, instancesOf } from '../environment/servers';
import { type Finding, ok, warning, wrong } from './findings';
import { checkMigrator, checkRights } from './role';

type Settings = ReturnType<typeof parseSettings>;
/** `url` may lead through a pooler. `migrationUrl` is null if the servers' role migrates. */
export type Urls = { url: string; directUrl: string; migrationUrl: string | null };

/** Milliseconds between the clocks of this machine and of the database. */
const SKEW = { warning: 1_000, wrong: 20_000 };

const REACH = 'Correct DATABASE_URL, start PostgreSQL, or allow connections in pg_hba.conf.';

/** An EnvironmentError becomes a finding. */
async function orWrong(work: () => Promise<Finding[]>, fix: string): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    const unreachable = error instanceof EnvironmentError && error.message.startsWith('The database cannot be reached');
    if (error instanceof EnvironmentError) return [wrong(error.message, unreachable ? REACH : fix)];
    throw error;
  }
}

const STATE = `
  SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit`;
type State = { version: number; name: string; fsync: string; commit: string };

/** Checks that the database is reachable, supported, and durable, and allows enough connections. */
export function checkDatabase({ directUrl }: Urls, settings: Settings): Promise<Finding[]> {
  const work = () =>
    withClient(directUrl, async (client) => {
      const { rows } = await client.query<State>(STATE);
      const [state] = rows as [State];
      requirePostgres(state.version, state.name);
      return [
        ok(`PostgreSQL ${state.name} responds.`),
        ...durability(state),
        ...embedded(state, settings),
        ...(await connections(client, settings)),
      ];
    });
  return orWrong(work, 'Use PostgreSQL 15 or newer.');
}

function durability({ fsync, commit }: State): Finding[] {
  const off = [fsync === 'off' ? 'fsync' : '', commit === 'off' ? 'synchronous_commit' : ''].filter(Boolean);
  return off.map((name) =>
    wrong(
      `${name} is off, so a crash can lose changes that were already confirmed to partners.`,
      `As a superuser: ALTER SYSTEM SET ${name} = on; SELECT pg_reload_conf();`,
    ),
  );
}

/**
 * The newest release of PostgreSQL in the major line of the embedded server, as known when this version was made, and the
 * end of the OpenSSL line that the server contains. A test compares `newest` with deploy/docker/compose.yaml.
 */
export const EMBEDDED_LINE = { newest: '18.6', end: '2023-09-11' } as const;

/** LIVE should not depend on the package of the embedded server, whose fixes come months after those of PostgreSQL. */
function embedded({ name }: State, { DATABASE_URL, ENVIRONMENT }: Settings): Finding[] {
  if (DATABASE_URL || ENVIRONMENT !== 'LIVE') return [];
  const { newest, end } = EMBEDDED_LINE;
  return [
    warning(
      `LIVE uses the embedded PostgreSQL ${name}. PostgreSQL ${newest} has fixes that it lacks, and so has OpenSSL, whose line 1.1 in it ended on ${end}.`,
      'Install PostgreSQL, move the data with npm run backup and npm run restore, and set DATABASE_URL.',
    ),
  ];
}

async function connections(client: pg.Client, settings: Settings): Promise<Finding[]> {
  const shortage = await connectionShortage(client, settings, 0);
  const processes = await findServerProcesses(client);
  // With `auto`, the machine of a server can have more workers than this one, but one instance has one address.
  const running =
    settings.WORKERS === 'auto' || settings.WORKERS === undefined
      ? new Set(processes.map(({ address }) => address)).size
      : instancesOf(processes.length, settings);
  return [
    ...(shortage
      ? [warning(shortage, 'Decrease DATABASE_POOL, or increase max_connections and restart PostgreSQL.')]
      : []),
    ...(settings.INSTANCES === 1 && running > 1
      ? [
          warning(
            `${running} instances use this database, but INSTANCES is 1, so each of them counts the rate limits for itself.`,
            'Set INSTANCES of every instance to their number, or to auto, and restart them.',
          ),
        ]
      : []),
  ];
}

/** Checks the role with which the servers connect, and another role that migrates. */
export async function checkRole({ url, migrationUrl }: Urls): Promise<Finding[]> {
  const [rights, migrator] = await Promise.all([
    orWrong(() => withClient(url, checkRights), 'Correct DATABASE_URL.'),
    migrationUrl ? orWrong(() => withClient(migrationUrl, checkMigrator), 'Correct MIGRATION_DATABASE_URL.') : [],
  ]);
  return [...rights, ...migrator];
}

/** Checks the schema and its indexes, and that the database belongs to `claim`, unless it is null. */
export function checkSchema({ directUrl }: Urls, claim: EnvironmentClaim | null): Promise<Finding[]> {
  const work = () =>
    withClient(directUrl, async (client) => {
      const pending = await pendingMigrations(client, process.cwd());
      if (pending[0])
        return [
          wrong(
            `Migrations are missing. The first of them is ${pending[0]}.`,
            'Run npm run migrate, or start this version.',
          ),
        ];
      const findings = [...(await findInvalidIndexes(client)), ...(await findUnkeptLogs(client))];
      if (claim) await refuseOthers(directUrl, claim);
      if (!(await findClaim(client)))
        findings.push(warning('No server has used this database yet.', 'Run node scripts/launch.mjs start.'));
      return findings.length > 0 ? findings : [ok('The schema matches this version.')];
    });
  return orWrong(work, 'Start the version that matches the database, or correct ENVIRONMENT, SECRET_KEY, and CELL.');
}

async function findInvalidIndexes(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace AND relkind = 'i' LIMIT 10`,
  );
  return rows.map(({ name }) =>
    warning(
      `The index ${name} is not valid, so it slows down writes, and queries do not use it.`,
      `REINDEX INDEX CONCURRENTLY ${name};`,
    ),
  );
}

// These triggers keep the servers' role from removing its traces.
const UNKEPT = `
  SELECT name, kept FROM (
    SELECT name, kept FROM unnest(ARRAY['audit_log', 'sign_ins', 'refused_calls', 'request_log', 'tenant_deletions']) AS name,
      unnest(ARRAY['kept_update', 'kept_delete']) AS kept
    UNION ALL SELECT 'tenants', unnest(ARRAY['kept_retention', 'kept_deletion', 'kept_insert', 'kept_update', 'kept_delete'])
    UNION ALL SELECT 'tenant_deletions', 'kept_insert') AS wanted
  WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass(name) AND tgname = kept AND tgenabled IN ('O', 'A'))`;

async function findUnkeptLogs(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; kept: string }>(UNKEPT);
  return rows.map(({ name, kept }) =>
    wrong(
      `The trigger ${kept} of ${name} is disabled, so the role of the servers can change or remove logs.`,
      `ALTER TABLE ${name} ENABLE TRIGGER ${kept};`,
    ),
  );
}

/** Checks that the clocks of this machine (`now`) and of the database agree. */
export function checkClock({ directUrl }: Urls, now = Date.now): Promise<Finding[]> {
  const work = () =>
    withClient(directUrl, async (client) => {
      const sent = performance.now();
      const { rows } = await client.query<{ at: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at');
      // The database read its clock at an unknown time between the query and the response.
      const uncertain = (performance.now() - sent) / 2;
      const skew = Math.max(0, Math.abs(now() - uncertain - Number(rows[0]?.at)) - uncertain);
      const text = `The clocks of this machine and of the database differ by ${(skew / 1000).toFixed(1)} seconds.`;
      const fix = 'Synchronize both clocks: timedatectl set-ntp true';
      if (skew > SKEW.wrong) return [wrong(text, fix)];
      return [skew > SKEW.warning ? warning(text, fix) : ok('The clocks of this machine and of the database agree.')];
    });
  return orWrong(work, 'Correct DATABASE_URL.');
}

/** Checks that direct connections are direct, and that a pooler keeps prepared statements. */
export function checkPooling({ DATABASE_URL, DIRECT_DATABASE_URL }: Settings): Promise<Finding[]> {
  const fix = 'See docs/pgbouncer.md and deploy/pgbouncer/pgbouncer.ini.';
  if (!DATABASE_URL) return Promise.resolve([ok('The embedded PostgreSQL needs no pooler.')]);
  const direct = DIRECT_DATABASE_URL ?? DATABASE_URL;
  const work = async () => {
    await requireDirect(direct);
    const pooled = DIRECT_DATABASE_URL && (await leadsThroughPooler(DATABASE_URL));
    if (!pooled) return [ok('Connections lead directly to PostgreSQL.')];
    const missing = await checkPooler(DATABASE_URL, direct);
    return [missing ? warning(missing, fix) : ok('The pooler keeps prepared statements and sets the timeouts.')];
  };
  return orWrong(work, fix);
}

async function leadsThroughPooler(url: string): Promise<boolean> {
  try {
    await requireDirect(url);
    return false;
  } catch (error) {
    if (error instanceof EnvironmentError && error.cause === undefined) return true;
    throw error;
  }
}
