import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb } from '@/lib/platform/db';
import {
  makeApplication,
  makeLocation,
  makeService,
  makeSpecialist,
  makeTenant,
  offer,
} from '@/tests/support/factories';
import { freePort } from '@/tests/support/free-port';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { startServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';

/** Number of requests per second. A request is sent even if earlier requests have no response yet. */
const RATE = 60;
const RESTARTS = 3;
/** The number of requests that are sent after each restart. */
const REQUESTS = 3 * RATE;
/**
 * Maximum number of times that a server loads a catalog after its start. The first request loads the catalog. Later
 * requests can load it again, because the server trusts no cached value until its first poll is answered.
 */
const MAX_LOADS = 3;

let database: OwnDatabase;

beforeAll(async () => {
  database = await ownDatabase();
});

afterAll(() => database.drop());

/** Creates a business with 20 specialists, 30 services, and 4 locations. Returns an API key. */
async function makeLargeBusiness(): Promise<string> {
  const { id } = await makeTenant();
  const times = (count: number) => Array.from({ length: count });
  const locations = await Promise.all(times(4).map(() => makeLocation(id)));
  const services = await Promise.all(times(30).map(() => makeService(id)));
  const specialists = await Promise.all(times(20).map(() => makeSpecialist(id)));
  await offer(id, specialists, services, locations);
  const { key } = await makeApplication(id);
  // PostgreSQL counts the scans of an idle session up to ten seconds late, but those of a closed one at once.
  await closeDb();
  return key;
}

/**
 * Returns how often queries have read the tenants' offerings. A catalog is loaded with one such query. PostgreSQL counts
 * the scans of a session late, but no later than it ends, so no server may run.
 */
async function loads(): Promise<number> {
  const sessions = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  await until(
    () => database.query(sessions),
    ({ rowCount }) => rowCount === 0,
  );
  const { rows } = await database.query(
    `SELECT (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_user_tables
     WHERE relname = 'offerings'`,
  );
  return rows[0]?.scans ?? 0;
}

type Sent = { at: number; status: number | null; milliseconds: number };

/** Sends requests at a fixed rate until `stop` is called. `stop` waits for all responses. */
function keepSending(port: number, key: string) {
  const agent = new Agent({ connections: 100 });
  const sent: Promise<Sent>[] = [];
  const one = async (): Promise<Sent> => {
    const at = performance.now();
    const call = { dispatcher: agent, headers: { authorization: `Bearer ${key}` } };
    const status = await request(`http://127.0.0.1:${port}${CATALOG}`, call).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      },
      () => null,
    );
    return { at, status, milliseconds: performance.now() - at };
  };
  const timer = setInterval(() => sent.push(one()), 1000 / RATE);
  return {
    count: () => sent.length,
    stop: async () => {
      clearInterval(timer);
      const all = await Promise.all(sent);
      await agent.close();
      return all;
    },
  };
}

test(`a server that restarts under ${RATE} requests per second answers all of them at once`, async () => {
  const key = await makeLargeBusiness();
  const port = await freePort();
  const start = () => startServer({ databaseUrl: database.url, env: { PORT: String(port) } });
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const first = await start();
    const sending = keepSending(port, key);
    await first.stop();
    const before = await loads();
    const second = await start();
    const startedAt = performance.now();
    const sentBefore = sending.count();
    await until(
      async () => sending.count() - sentBefore,
      (count) => count >= REQUESTS,
    );
    const after = (await sending.stop()).filter(({ at }) => at > startedAt);
    expect(after.length).toBeGreaterThanOrEqual(REQUESTS);
    expect(after.filter(({ status }) => status !== 200)).toEqual([]);
    await second.stop();
    const loaded = (await loads()) - before;
    expect(loaded).toBeGreaterThan(0);
    expect(loaded).toBeLessThanOrEqual(MAX_LOADS);
  }
});
