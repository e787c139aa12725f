import pg from 'pg';
import { pool, prismaOn, type ReadDatabase, SESSION_TIMEOUTS, withListeners } from '../db';
import { env } from '../env';
import { currentReplicaUrl } from '../postgres/current-url';
import { clientFor, urlsOf } from '../postgres/hosts';

/** Maximum milliseconds to wait for a connection to a replica, and for each query about its state. */
const TIMEOUT = 1_000;

/** Maximum milliseconds for which the client waits for the result of a query on a replica. */
const QUERY_TIMEOUT = 5_000;

const STATE = `
  SELECT system_identifier::text AS system, pg_postmaster_start_time()::text AS started,
    pg_is_in_recovery() AS standby, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text AS replayed
  FROM pg_control_system()`;

/** The state of a server. `system` is the identifier of the cluster, which a primary and its replicas share. */
type State = { system: string; started: string; standby: boolean; replayed: string | null };

/** A replica: its database for reads, and a separate connection on which the state of the replica is read. */
export type ReplicaServer = {
  database: ReadDatabase;
  /**
   * Returns the position up to which the replica has replayed the write-ahead log.
   * @throws Error if the server does not respond or is no longer a replica.
   */
  replayed: () => Promise<bigint>;
  /** Closes all connections. Does not wait for a server that does not respond. */
  close: () => void;
};

type Probe = State & { client: pg.Client; index: number };

/** Returns a function that takes a URL with several hosts and returns the URL of the host at `index`. */
const hostAt = (index: number) => async (url: string) => urlsOf(url, 'replica')?.[index] ?? url;

const replicaUrl = () => currentReplicaUrl() ?? '';

/** Returns the number of hosts in DATABASE_REPLICA_URL. */
export const replicaHosts = () => urlsOf(replicaUrl(), 'replica')?.length ?? 0;

/**
 * Connects to the host of DATABASE_REPLICA_URL that has replayed the most of the write-ahead log.
 * @throws Error that states the reason for each host if none is a replica of the primary.
 */
export async function connectReplica(): Promise<ReplicaServer> {
  const { rows } = await pool().query<{ system: string }>(
    'SELECT system_identifier::text AS system FROM pg_control_system()',
  );
  const system = rows[0]?.system ?? '';
  const indexes = Array.from({ length: replicaHosts() }, (_, index) => index);
  const results = await Promise.allSettled(indexes.map((index) => probe(index, system)));
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const [best, ...others] = found.sort((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1));
  for (const { client } of others) client.end().catch(() => {});
  if (best) return serverOf(best);
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason.message)] : []));
  throw new Error(reasons.join('; '));
}

const positionOf = ({ replayed }: State) => BigInt(replayed ?? 0);

async function probe(index: number, system: string): Promise<Probe> {
  const Client = clientFor(replicaUrl, hostAt(index));
  const client = new Client({ connectionTimeoutMillis: TIMEOUT, query_timeout: TIMEOUT });
  client.on('error', () => {});
  try {
    await client.connect();
    const state = await readState(client);
    if (state.system !== system) throw new Error('another database cluster');
    return { ...state, client, index };
  } catch (error) {
    client.end().catch(() => {});
    const { message, code } = error as NodeJS.ErrnoException;
    throw new Error(`${client.host}:${client.port}: ${message || code}`);
  }
}

async function readState(client: pg.ClientBase): Promise<State> {
  const { rows } = await client.query<State>(STATE);
  const [state] = rows;
  if (!state?.standby) throw new Error('not a standby server');
  return state;
}

function serverOf({ client, index, system, started }: Probe): ReplicaServer {
  const connections = withListeners(
    new pg.Pool({
      Client: clientFor(replicaUrl, hostAt(index)),
      max: env().DATABASE_POOL,
      // A read of a tenant's data consists of three statements (see `inTenant`), which are sent together.
      pipeline: true,
      connectionTimeoutMillis: TIMEOUT,
      idleTimeoutMillis: 30_000,
      query_timeout: QUERY_TIMEOUT,
      application_name: 'partner-booking-lists',
      // If the host is a load balancer, a new connection could lead to a different server than the connection on which
      // the lag is measured. Refuses such a connection, because that server may have a different lag.
      verify: (opened, done) => {
        const same = async () => {
          await opened.query(`SET statement_timeout = ${SESSION_TIMEOUTS.statement_timeout}`);
          const state = await readState(opened);
          if (state.system !== system || state.started !== started) throw new Error('another server');
        };
        same().then(() => done(), done);
      },
    }),
  );
  const database = { pool: connections, prisma: prismaOn(connections) };
  return {
    database,
    replayed: async () => positionOf(await readState(client)),
    close: () => {
      client.end().catch(() => {});
      database.prisma
        .$disconnect()
        .then(() => connections.end())
        .catch(() => {});
    },
  };
}
