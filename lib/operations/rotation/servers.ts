import type pg from 'pg';
import { listenerName } from '@/lib/platform/cache/changes';
import { keyIdText } from '@/lib/platform/crypto';
import { StartError } from '@/lib/platform/postgres/start-error';
import type { RotationKeys } from './reseal';

// Each server process has a connection that polls for changes. The name of this connection contains the ids of
// the keys that the process has. Processes of an earlier version omit the ids.
const LISTENERS = `
  SELECT application_name AS name, coalesce(host(client_addr), 'a local socket') AS address FROM pg_stat_activity
  WHERE datname = current_database() AND (application_name = $1 OR application_name LIKE $2)`;

/**
 * Checks that every connected server process has all keys of a rotation. A process that lacks a key could not
 * decrypt what other processes write.
 * @throws StartError that lists the addresses of the processes that lack a key.
 */
export async function requireKeysOfServers(client: pg.Client, { all }: RotationKeys): Promise<void> {
  const names = [listenerName([]), listenerName(['%'])];
  const { rows } = await client.query<{ name: string; address: string }>(LISTENERS, names);
  const ids = all.map(keyIdText);
  const without = rows.filter(({ name }) => !ids.every((id) => name.split(' ').includes(id)));
  if (without.length === 0) return;
  const addresses = [...new Set(without.map(({ address }) => address))].sort().join(', ');
  throw new StartError(
    `At least one server process does not have both keys of this command (processes: ${without.length}, connected from ${addresses}). Restart every server with the same SECRET_KEY and SECRET_KEY_PREVIOUS as this command, and run this command again.`,
  );
}
