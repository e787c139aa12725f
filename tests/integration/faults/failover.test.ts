import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createBooking } from '@/lib/contract/operations';
import { closeDb, pool } from '@/lib/platform/db';
import { resetSingleton } from '@/lib/platform/singleton';
import { mixedWrites } from '@/tests/integration/faults/writes';
import { deploy } from '@/tests/integration/history/deployments';
import { BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { callProcedure, makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeApplication, makeBusiness } from '@/tests/support/factories';
import { anomaliesOf } from '@/tests/support/history/anomalies';
import { staleReadsOf, startCachedReads } from '@/tests/support/history/cached';
import { type Clients, finalOf, startClients } from '@/tests/support/history/clients';
import { expectIntact } from '@/tests/support/invariants';
import { type OwnPostgres, startPostgres } from '@/tests/support/postgres-restart';
import { newSeed, seeded } from '@/tests/support/random';
import { startServer } from '@/tests/support/server';
import { repeats } from '@/tests/support/soak';
import { STANDBY, type Standby, startStandby } from '@/tests/support/standby';
import { makeStage } from '@/tests/support/storm';
import { untilQuiet } from '@/tests/support/truth';
import { until } from '@/tests/support/until';

const CLIENTS = 8;
const CAPACITY = 2;
/** Number of writes that must succeed before the primary is killed, and again after the failover. */
const PROGRESS = repeats(20, 50);

let postgres: OwnPostgres | undefined;
let standby: Standby | undefined;

afterEach(async () => {
  await closeDb();
  await standby?.destroy();
  await postgres?.destroy();
});

/**
 * Starts a primary with a synchronous standby. Configures this process to connect to whichever of the two accepts
 * writes.
 */
async function startPair(): Promise<{ primary: OwnPostgres; replica: Standby; databaseUrl: string }> {
  const primary = await startPostgres();
  postgres = primary;
  const replica = await startStandby(primary);
  standby = replica;
  const { host } = new URL(primary.url);
  const hosts = `${host},${new URL(replica.url).host}`;
  const databaseUrl = `${primary.url.replace(host, hosts)}?target_session_attrs=read-write`;
  Object.assign(process.env, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' });
  resetSingleton('env');
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
  await primary.query('SELECT pg_reload_conf()');
  const state = async () => (await primary.query('SELECT sync_state FROM pg_stat_replication')).rows[0]?.sync_state;
  await until(state, (now) => now === 'sync');
  return { primary, replica, databaseUrl };
}

const successesReach = (clients: Clients, count: number) =>
  until(
    async () => clients.successes(),
    (now) => now >= count,
  );

/**
 * Returns how many milliseconds after `since` the first write succeeded. Only writes that began after `since` count.
 */
function recoveredAfter({ history }: Clients, since: number): number {
  const later = history.writes.filter(({ begun, result }) => begun > since && typeof result !== 'string');
  return Math.min(...later.map(({ ended }) => ended)) - since;
}

test.each(Array.from({ length: repeats(1, 10) }, (_, round) => round + 1))(
  'failover %d: the primary is killed and the synchronous standby promoted, and no acknowledged write is lost',
  async () => {
    const { primary, replica, databaseUrl } = await startPair();
    const seed = newSeed();
    const random = seeded(seed);
    const deployment = await deploy({ servers: repeats(1, 2), workers: 1, databaseUrl, random });
    try {
      const stage = await makeStage({ specialists: 2, services: [{ capacity: CAPACITY }] });
      deployment.serve(stage.keys[0] ?? '');
      const writes = mixedWrites(stage.place, random);
      const { partners } = deployment;
      const clients = startClients(CLIENTS, { ...writes, partners, random });
      const cached = startCachedReads({
        partners,
        random,
        tenantId: stage.tenantId,
        serviceId: stage.place.serviceId,
        applicationId: stage.applicationIds[0] ?? '',
      });
      await successesReach(clients, PROGRESS);
      await delay(500 * random());
      const [killed, before] = [performance.now(), clients.successes()];
      await primary.stop('kill');
      await replica.promote();
      const promoted = performance.now();
      await successesReach(clients, before + PROGRESS);
      await Promise.all([clients.stop(), cached.stop()]);
      await untilQuiet();
      await clients.settle();
      await untilQuiet();
      expect(anomaliesOf(clients.history, await finalOf(stage.tenantId, CAPACITY)), `seed ${seed}`).toEqual([]);
      expect(staleReadsOf(cached.history), `seed ${seed}`).toEqual([]);
      expect(Math.min(cached.history.reads.length, cached.history.changes.length)).toBeGreaterThan(0);
      await expectIntact(stage.tenantId, `seed ${seed}`);
      const figures = {
        seed,
        'writes acknowledged before the kill': before,
        'writes sent': clients.history.writes.length,
        'without a result': clients.history.writes.filter(({ result }) => result === 'unknown').length,
        'ms until promoted': Math.round(promoted - killed),
        'ms until a write succeeded': Math.round(recoveredAfter(clients, killed)),
      };
      console.log(JSON.stringify(figures));
    } finally {
      await deployment.end();
    }
  },
  180_000,
);

test.each(Array.from({ length: repeats(0, 1) }))(
  'while the synchronous standby is away, no write is acknowledged, and none is lost or made twice afterward',
  async () => {
    const { primary, replica, databaseUrl } = await startPair();
    const server = await startServer({ databaseUrl });
    try {
      const { tenant, service, location, key } = await makeBusiness();
      const { applicationId } = await makeApplication(tenant.id);
      const client = createClient({ origin: server.origin, key });
      const cookie = await openSessionOf(await makePerson(tenant.id));
      const slot = { service_id: service.id, location_id: location.id, date: dayAhead(), start_time: '10:00' };
      const body = { ...slot, external_reference: 'order-4711', customer: CUSTOMER };
      const idempotencyKey = randomUUID();
      const create = () => post(client, BOOKINGS, createBooking, body, { key: idempotencyKey });
      const call = { origin: server.origin, cookie, type: 'mutation' as const };
      const suspend = () =>
        callProcedure('applications.set_suspended', {
          ...call,
          input: { application_id: applicationId, suspended: true },
        });
      await replica.stop();
      const replies = await Promise.all([create(), suspend()]);
      expect(replies.map(({ status }) => status)).toEqual([503, 503]);
      await replica.start();
      await until(
        async () => (await primary.query('SELECT sync_state FROM pg_stat_replication')).rows[0]?.sync_state,
        (state) => state === 'sync',
      );
      const again = await until(create, ({ status }) => status !== 503);
      const { rows } = await pool().query('SELECT count(*)::int AS bookings FROM bookings WHERE tenant_id = $1', [
        tenant.id,
      ]);
      expect([again.status, rows]).toEqual([201, [{ bookings: 1 }]]);
    } finally {
      await server.stop();
    }
  },
  120_000,
);
