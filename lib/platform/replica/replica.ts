import { pool, type ReadDatabase } from '../db';
import { env } from '../env';
import { log } from '../log';
import { singleton } from '../singleton';
import { outsideScopes } from '../tenant-scope';
import { within } from '../write-transaction';
import { type Coverage, createCoverage } from './coverage';
import { connectReplica, type ReplicaServer, replicaHosts } from './server';

/** Maximum milliseconds for one measurement of the lag. */
const TIMEOUT = 2_000;
/**
 * The lag is measured at least this many times per `REPLICA_MAX_LAG`. Between two measurements, the server assumes that
 * the lag grows. With fewer measurements, the assumed lag could exceed `REPLICA_MAX_LAG` although the replica has all
 * changes.
 */
const MEASUREMENTS = 4;
/** After a replica has lagged too far behind for this many milliseconds, another host is tried. */
const KEPT = 10_000;
/** A change of the replica's state is logged after the new state has lasted this many milliseconds. */
const LASTING = 2_000;

type Monitor = {
  server: ReplicaServer | null;
  coverage: Coverage;
  /** The time at which this monitor started. */
  startedAt: number;
  /** The time at which the connection to `server` was opened. */
  connectedAt: number;
  /** Whether a read has failed since the last measurement of the lag. */
  distrusted: boolean;
  /** The current state. */
  state: State;
  /** The time at which the current state began. */
  since: number;
  /** The last state that was logged. */
  logged: State;
  stopped: boolean;
  timer?: NodeJS.Timeout;
};

/** Why lists are read from the primary: the replica does not respond, or it lags too far behind. */
export type Unusable = 'unavailable' | 'behind';

type State = Unusable | 'usable';

/** Returns whether DATABASE_REPLICA_URL is set. */
export function hasReplica(): boolean {
  return env().DATABASE_REPLICA_URL !== undefined;
}

/**
 * Returns the replica if it has every change that is older than `REPLICA_MAX_LAG`; otherwise, the reason why it cannot
 * be used. The first call starts the measurements of the lag.
 */
export function usableReplica(): ReadDatabase | Unusable {
  const { server, coverage, distrusted } = monitor();
  if (!server || distrusted) return 'unavailable';
  return performance.now() - coverage.until() <= env().REPLICA_MAX_LAG ? server.database : 'behind';
}

/**
 * Makes `usableReplica` return no replica until a measurement of the lag succeeds. Call this function if the replica
 * does not respond.
 */
export function distrustReplica(): void {
  monitor().distrusted = true;
}

/** Returns the lag in seconds: the age of the oldest change that the replica may lack. */
export function replicaLag(): number {
  const { coverage, startedAt } = monitor();
  return (performance.now() - Math.max(coverage.until(), startedAt)) / 1000;
}

/** Stops measuring the lag, and closes the connections to the replica. */
export function closeReplica(): void {
  const current = holder().monitor;
  if (!current) return;
  current.stopped = true;
  clearTimeout(current.timer);
  forget(current);
  holder().monitor = null;
}

const holder = () => singleton('replica', () => ({ monitor: null as Monitor | null }));

function monitor(): Monitor {
  const current = holder();
  if (!current.monitor) {
    current.monitor = createMonitor();
    const started = current.monitor;
    // The measurements continue after the request that starts them, so they must neither be limited to the request's
    // tenant nor wait for its turns: a busy tenant would otherwise take the replica from all tenants.
    void outsideScopes(() => run(started));
  }
  return current.monitor;
}

function createMonitor(): Monitor {
  const now = performance.now();
  return {
    server: null,
    coverage: createCoverage(),
    startedAt: now,
    connectedAt: now,
    distrusted: false,
    state: 'usable',
    since: now,
    logged: 'usable',
    stopped: false,
  };
}

async function run(current: Monitor): Promise<void> {
  const problem = await measure(current).catch((error: unknown) => error);
  if (current.stopped) return forget(current);
  report(current, problem);
  const pause = Math.min(1_000, env().REPLICA_MAX_LAG / MEASUREMENTS);
  current.timer = setTimeout(() => void run(current), pause).unref();
}

/** Reads the end of the primary's write-ahead log, and then how much of this log the replica has replayed. */
async function measure(current: Monitor): Promise<void> {
  const deadline = performance.now() + TIMEOUT;
  current.server ??= await connect(current);
  const { server, coverage } = current;
  const at = performance.now();
  const { rows } = await within(deadline, pool().query<{ position: string }>(POSITION));
  coverage.sampled(at, BigInt(rows[0]?.position ?? 0));
  try {
    coverage.replayed(await within(deadline, server.replayed()));
    current.distrusted = false;
    const late = performance.now() - Math.max(coverage.until(), current.connectedAt);
    // If there are several hosts, another replica may lag less, so the connection to this replica is closed.
    if (late > KEPT + env().REPLICA_MAX_LAG && replicaHosts() > 1) throw new Error('the replica lags too far behind');
  } catch (error) {
    forget(current);
    throw error;
  }
}

const POSITION = `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS position`;

async function connect(current: Monitor): Promise<ReplicaServer> {
  const server = await connectReplica();
  Object.assign(current, { coverage: createCoverage(), connectedAt: performance.now() });
  return server;
}

function forget(current: Monitor): void {
  current.server?.close();
  current.server = null;
}

/** Logs when lists begin to be read from the primary, and when they are read from the replica again. */
function report(current: Monitor, problem: unknown): void {
  const found = usableReplica();
  const state = typeof found === 'string' ? found : 'usable';
  const now = performance.now();
  if (state !== current.state) Object.assign(current, { state, since: now });
  if (state === current.logged || now - current.since < LASTING) return;
  current.logged = state;
  if (state === 'usable') log().warn('lists are read from the replica again');
  else if (problem) log().warn({ err: problem }, 'lists are read from the primary, because the replica is unavailable');
  else log().warn({ lag_seconds: replicaLag() }, 'lists are read from the primary, because the replica lags behind');
}
