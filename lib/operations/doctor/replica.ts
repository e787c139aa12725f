import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { urlsOf } from '@/lib/platform/postgres/hosts';
import { EnvironmentError, withClient } from '../environment/connection';
import { type Finding, ok, warning, wrong } from './findings';

/**
 * For how many milliseconds the check waits for a replica by default. The wait ends when the replica has every change
 * that the primary had at the beginning of the check.
 */
const WAIT = 5_000;

const SYSTEM = 'SELECT system_identifier::text AS system FROM pg_control_system()';
const WRITTEN = `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS written`;
const STATE = `
  SELECT system_identifier::text AS system, pg_is_in_recovery() AS standby,
    pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text AS replayed
  FROM pg_control_system()`;

type Wanted = { system: string; written: bigint; wait: number };
type State = { system: string; standby: boolean; replayed: string | null };

/**
 * Checks that each host of DATABASE_REPLICA_URL is a standby server of the database and receives its changes.
 * @param primaryUrl the URL of the database, without a pooler
 */
export async function checkReplica(replicaUrl: string, primaryUrl: string, wait = WAIT): Promise<Finding[]> {
  const primary = await withClient(primaryUrl, async (client) => {
    const { rows } = await client.query<{ system: string }>(SYSTEM);
    const { rows: ends } = await client.query<{ written: string }>(WRITTEN);
    return { system: rows[0]?.system ?? '', written: BigInt(ends[0]?.written ?? 0) };
  });
  const hosts = urlsOf(replicaUrl, 'replica') ?? [];
  const name = (index: number) => `Host ${index + 1} of DATABASE_REPLICA_URL`;
  return Promise.all(hosts.map((url, index) => checkHost(url, name(index), { ...primary, wait })));
}

const CORRECT = 'Correct DATABASE_REPLICA_URL. See docs/deployment.md#read-replica.';

async function checkHost(url: string, name: string, wanted: Wanted): Promise<Finding> {
  try {
    return await withClient(url, (client) => checkState(client, name, wanted));
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    const reason = error.message.replace('The database cannot be reached', `${name} cannot be reached`);
    return wrong(reason, 'Correct DATABASE_REPLICA_URL, start the standby, or allow connections in its pg_hba.conf.');
  }
}

async function checkState(client: pg.Client, name: string, { system, written, wait }: Wanted): Promise<Finding> {
  for (const begun = performance.now(); ; await delay(100)) {
    const { rows } = await client.query<State>(STATE);
    const [state] = rows;
    if (!state?.standby) return wrong(`${name} is not a standby server.`, CORRECT);
    if (state.system !== system) return wrong(`${name} belongs to another database cluster.`, CORRECT);
    const waited = (performance.now() - begun) / 1000;
    if (BigInt(state.replayed ?? 0) >= written)
      return ok(
        `${name} is a standby server and has every change that the primary had when the check began. The check waited ${waited.toFixed(1)} seconds.`,
      );
    if (waited * 1000 < wait) continue;
    return warning(
      `${name} lags behind by more than ${wait / 1000} seconds, so lists are read from the primary.`,
      'On the primary: SELECT * FROM pg_stat_replication; and read the log of the standby.',
    );
  }
}
