import { setTimeout as delay } from 'node:timers/promises';
import { pool } from '@/lib/platform/db';
import type { FaultProxy } from '@/tests/support/fault-proxy';
import type { OwnPostgres } from '@/tests/support/postgres-restart';
import { pick } from '@/tests/support/random';
import type { Deployment } from './deployments';

/**
 * Maximum milliseconds to wait for the next COMMIT of any server. The wait is limited, because there may be no COMMIT
 * while the servers start.
 */
const COMMIT_WITHIN = 5_000;

/** The parts of the system in which faults are injected. */
export type System = { deployment: Deployment; postgres: OwnPostgres; proxy: FaultProxy; random: () => number };

/**
 * Each function injects its fault and resolves when the fault has ended. The servers may still be recovering then.
 */
export const FAULTS = {
  'SIGKILL of a server process': ({ deployment }: System) => deployment.kill(),
  'SIGSTOP of a server process': ({ deployment, random }: System) => deployment.freeze(200 + 1_500 * random()),
  'SIGKILL of a PostgreSQL backend': async () => {
    const { rows } = await pool().query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       ORDER BY state = 'idle', random() LIMIT 1`,
    );
    for (const { pid } of rows) process.kill(pid, 'SIGKILL');
  },
  'crash and restart of PostgreSQL': async ({ postgres }: System) => {
    await postgres.stop('immediate');
    await postgres.start();
  },
  'COMMIT that is lost or not answered': async ({ proxy, random }: System) => {
    await Promise.race([proxy.failCommit(pick(random, ['lost', 'unanswered'])), delay(COMMIT_WITHIN)]);
  },
  'broken connections to the database': async ({ proxy }: System) => proxy.cut(),
  'stalled connections to the database': ({ proxy, random }: System) => proxy.stall(100 + 1_500 * random()),
};

/** The name of a fault. */
export type Fault = keyof typeof FAULTS;

const KILL: Fault = 'SIGKILL of a server process';

/** Returns a random fault. Two of three faults kill a server process. */
export function randomFault(random: () => number): Fault {
  const others = (Object.keys(FAULTS) as Fault[]).filter((fault) => fault !== KILL);
  return random() < 2 / 3 ? KILL : pick(random, others);
}
