import type pg from 'pg';
import { pollerName } from '@/lib/platform/cache';
import { requiredConnections, workerCount } from '@/lib/platform/cluster';
import type { parseSettings } from '@/lib/platform/env';

type Settings = ReturnType<typeof parseSettings>;

// The name of a server's polling connection contains the ids of its keys.
const POLLERS = `
  SELECT application_name AS name, coalesce(host(client_addr), 'a local socket') AS address FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE $1`;

/** Returns the names of the polling connections of this database, one per server process, and their addresses. */
export async function findServerProcesses(client: pg.ClientBase): Promise<{ name: string; address: string }[]> {
  const { rows } = await client.query(POLLERS, [pollerName(['%'])]);
  return rows;
}

const ALLOWED = `
  SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS allowed`;

/**
 * Returns why the database allows fewer connections than the servers can open, or null. `starting` is the number of
 * instances that are about to connect. With DIRECT_DATABASE_URL, the servers connect to a pooler, whose limit is unknown.
 */
export async function connectionShortage(
  client: pg.ClientBase,
  settings: Settings,
  starting: 0 | 1,
): Promise<string | null> {
  if (settings.DIRECT_DATABASE_URL) return null;
  const { rows } = await client.query<{ allowed: number }>(ALLOWED);
  const instances =
    settings.INSTANCES === 'auto'
      ? Math.max(1, instancesOf((await findServerProcesses(client)).length, settings) + starting)
      : settings.INSTANCES;
  const needed = instances * requiredConnections(settings).replacing;
  const allowed = rows[0]?.allowed ?? needed;
  return allowed >= needed
    ? null
    : `The database allows ${allowed} connections, but INSTANCES, WORKERS, and DATABASE_POOL let the servers open ${needed}.`;
}

/** Returns the number of instances to which so many processes belong. A replacement of a worker counts as none. */
export function instancesOf(processes: number, settings: Settings): number {
  const workers = workerCount(settings);
  return workers === 1 ? processes : Math.floor(processes / workers);
}
