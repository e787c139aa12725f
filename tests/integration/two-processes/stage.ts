import { afterAll, beforeAll } from 'vitest';
import { type Balancer, startBalancer } from '@/tests/support/balancer';
import { METRICS_TOKEN } from '@/tests/support/metrics';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';

/** Two server processes that share one database, behind a proxy. */
export type Pair = { database: OwnDatabase; one: TestServer; two: TestServer; balancer: Balancer };

/** The deployment guide's settings, and further settings that the tests need. */
const ENV = { INSTANCES: '2', TRUSTED_PROXIES: '1', WEBHOOKS_ALLOW_LOOPBACK: '1', METRICS_TOKEN };

type Options = {
  /** Prepares the database before the processes start. */
  before?: () => Promise<void>;
  /** The value of `DRAIN_DELAY`, in seconds. */
  drainDelay?: number;
};

/** Starts two processes behind a proxy for a test file. */
export function pairOfFile({ before, drainDelay = 0 }: Options = {}): Pair {
  const pair = {} as Pair;
  beforeAll(async () => {
    pair.database = await ownDatabase();
    await before?.();
    const env = { ...ENV, DRAIN_DELAY: String(drainDelay) };
    const start = () => startServer({ databaseUrl: pair.database.url, env });
    [pair.one, pair.two] = await Promise.all([start(), start()]);
    pair.balancer = await startBalancer([pair.one, pair.two]);
  });
  afterAll(async () => {
    await pair.balancer?.close();
    await Promise.all([pair.one?.stop(), pair.two?.stop()]);
    await pair.database.drop();
  });
  return pair;
}
