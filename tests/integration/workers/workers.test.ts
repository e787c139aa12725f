import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setSuspended } from '@/lib/access/applications/applications';
import { newId } from '@/lib/platform/ids';
import { mixedWrites } from '@/tests/integration/faults/writes';
import { createClient, freshAddress } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { expectIntact } from '@/tests/support/invariants';
import { familyOf, stillRunning } from '@/tests/support/launcher';
import { METRICS_TOKEN, readMetrics, sumOf } from '@/tests/support/metrics';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { newSeed, seeded } from '@/tests/support/random';
import { startReceiver, status } from '@/tests/support/receiver';
import { startServer, type TestServer } from '@/tests/support/server';
import { repeats, SOAK } from '@/tests/support/soak';
import { createOf, createPartner, dayAhead, makeStage, outcomes, type Partner } from '@/tests/support/storm';
import { expectTruth, sendLoad } from '@/tests/support/truth';
import { until } from '@/tests/support/until';
import { makeWebhook } from '@/tests/support/webhooks';

const KILLS = repeats(1, 20);

let database: OwnDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  const env = { WORKERS: '2', METRICS_TOKEN, WEBHOOKS_ALLOW_LOOPBACK: '1', LOG_LEVEL: 'info' };
  server = await startServer({ databaseUrl: database.url, env });
});

afterAll(async () => {
  await server?.stop();
  await database.drop();
});

/** Returns the workers' process ids. */
async function workers(): Promise<number[]> {
  return (await familyOf(server.pid)).filter((pid) => pid !== server.pid);
}

/** Returns how many workers have started to listen since the server started, including those that have exited. */
function listened(): number {
  return server.errors().split('"msg":"listening"').length - 1;
}

/** Returns clients with the same address. The primary process distributes their connections among the workers. */
function clients(key?: string, count = 2) {
  const address = freshAddress();
  return Array.from({ length: count }, () => createClient({ origin: server.origin, key, address }));
}

test('two workers share one port and count quotas together', async () => {
  expect(await workers()).toHaveLength(2);
  const { key } = await makeBusiness({ quota: 20 });
  const [one, two] = clients(key);
  const left = [];
  for (const ask of [one, two, two, one]) left.push((await ask?.(CATALOG))?.headers['x-ratelimit-remaining']);
  expect(left).toEqual(['19', '18', '17', '16']);
  const rest = await Promise.all(clients(key, 10).flatMap((ask) => [1, 2, 3].map(() => ask(CATALOG))));
  expect(rest.filter((reply) => reply.status === 200)).toHaveLength(16);
  expect(rest.filter((reply) => reply.status === 429)).toHaveLength(14);
});

test('pages that read the database are answered by both workers', async () => {
  // Concurrent requests have a connection each, and the primary gives the connections to the workers in turn.
  const replies = await Promise.all([1, 2, 3, 4].map(() => fetch(`${server.origin}/sign-in`)));
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
});

test('the failures of an address count at both workers', async () => {
  const asks = clients(undefined, 4);
  for (let i = 0; i < 30; i += 1) {
    const reply = await asks[i % 4]?.(CATALOG);
    expect([reply?.status, reply?.headers['x-ratelimit-remaining']]).toEqual([401, String(29 - i)]);
  }
  for (const ask of asks) expect((await ask(CATALOG)).status).toBe(429);
});

test('a scrape returns the metrics of all workers', async () => {
  const { key } = await makeBusiness();
  const name = 'partner_booking_request_duration_seconds_count';
  const before = sumOf(await readMetrics(server.origin), name);
  await Promise.all(clients(key, 4).flatMap((ask) => [1, 2, 3].map(() => ask(CATALOG))));
  for (let scrape = 0; scrape < 3; scrape += 1) {
    const metrics = await readMetrics(server.origin);
    expect(sumOf(metrics, name)).toBe(before + 12);
    expect(metrics.get('partner_booking_deliveries{state="waiting"}')).toBe(0);
  }
  // On a busy machine, a poll for changes can be late.
  await until(
    async () => (await readMetrics(server.origin)).get('partner_booking_cache_fresh'),
    (fresh) => fresh === 1,
  );
});

test('a change reaches both workers within a second', async () => {
  const { tenant, key, applicationId } = await makeBusiness();
  const asks = clients(key, 4);
  for (const ask of asks) expect((await ask(CATALOG)).status).toBe(200);
  const actor = { kind: 'owner', id: newId('usr'), tenantId: tenant.id } as const;
  await setSuspended(new Date(), { tenantId: tenant.id, actor, applicationId, suspended: true });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (const ask of asks) expect((await ask(CATALOG)).status).toBe(403);
});

test('concurrent creates at both workers book a slot once', async () => {
  const { place, keys, tenantId } = await makeStage();
  const partner = createPartner(server.origin, keys[0] ?? '');
  const guests = Array.from({ length: 20 }, () => createOf(place, { date: dayAhead(4), start_time: '10:00' }));
  // Each write is sent twice at the same time, as if a client retried it before the first response arrived.
  const replies = await Promise.all([...guests, ...guests].map(partner.insist));
  expect(outcomes(replies)).toEqual({ 201: 2, '409 slot_taken': 38 });
  await expectIntact(tenantId);
});

/**
 * Returns a partner whose `attempt` gives up after 10 seconds. Normally, every response arrives earlier (contract B8).
 * But if a worker is killed while the primary process passes a connection to it, a write on this connection gets no
 * response.
 */
function impatient(partner: Partner): Partner {
  return { ...partner, attempt: (write) => Promise.race([partner.attempt(write), delay(10_000, null)]) };
}

/** Returns whether the worker with this process id runs webhooks and jobs. */
async function schedules(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/environ`, 'utf8')).includes('SERVER_WORKER_SCHEDULES=1');
}

test(
  'a killed worker is replaced, nothing acknowledged is lost, and the other worker continues',
  async () => {
    const seed = newSeed();
    const random = seeded(seed);
    const stage = await makeStage({ specialists: 3, services: [{ capacity: 2 }] });
    const acknowledged = new Set<string>();
    const writes = mixedWrites(stage.place, random);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      // Each round opens new connections, because an open connection always leads to the same worker.
      const partner = createPartner(server.origin, stage.keys[0] ?? '');
      const before = await workers();
      const roles = await Promise.all(before.map(schedules));
      const victim = before[roles.indexOf(kill % 2 === 1)] ?? 0;
      let ahead = 20 + Math.floor(random() * 50);
      let after = 30;
      let answeredAfter = 0;
      const sent = await sendLoad(impatient(partner), {
        workers: 16,
        next: writes.next,
        // The load continues after the kill, to check that the other worker still responds.
        stop: () => after <= 0,
        onResponse: (one) => {
          writes.record(one);
          if (ahead === 0) {
            after -= 1;
            if (one.reply) answeredAfter += 1;
          } else if (one.reply && one.reply.status < 300) {
            ahead -= 1;
            if (ahead === 0) process.kill(victim, 'SIGKILL');
          }
        },
      });
      const broken = sent.filter(({ reply }) => reply === null).length;
      expect(broken, `seed ${seed}, kill ${kill}`).toBeGreaterThan(0);
      expect(answeredAfter, `seed ${seed}, kill ${kill}`).toBeGreaterThan(0);
      await until(
        async () => listened(),
        (count) => count === 2 + kill,
      );
      expect(await workers()).not.toContain(victim);
      await expectTruth(stage.tenantId, partner, sent, acknowledged);
    }
  },
  repeats(90_000, 900_000),
);

test('the worker that replaced the scheduler delivers webhooks', async () => {
  const receiver = await startReceiver(status(200));
  const webhook = await makeWebhook(receiver.url);
  await webhook.emit(5);
  await until(
    async () => (await webhook.deliveries()).filter(({ state }) => state === 'succeeded').length,
    (done) => done === 5,
  );
  expect(receiver.received).toHaveLength(5);
  await receiver.close();
});

test('SIGUSR2 replaces the workers one at a time, and no request fails', async () => {
  const { key } = await makeBusiness({ quota: 100_000 });
  const before = await workers();
  process.kill(server.pid, 'SIGUSR2');
  let replaced = false;
  const load = Array.from({ length: 2 }, async () => {
    while (!replaced) {
      // Each request uses a new connection, because the server can close an idle connection at any time.
      const [ask] = clients(key, 1);
      expect((await ask?.(CATALOG))?.status).toBe(200);
      const health = await fetch(`${server.origin}/api/health`, { headers: { connection: 'close' } });
      // A busy worker can fail its health check, so a failed check is accepted here. But a new connection must not
      // reach a draining worker.
      expect(await health.json()).not.toEqual({ status: 'draining' });
      // The pause leaves processor time for the new workers.
      await delay(100);
    }
  });
  // On a busy machine, a worker can take more than ten seconds to start.
  const done = until(workers, (now) => now.length === 2 && before.every((pid) => !now.includes(pid)), 120_000);
  await Promise.all([
    ...load,
    done.finally(() => {
      replaced = true;
    }),
  ]);
}, 150_000);

if (SOAK) {
  test('a start whose workers cannot listen is refused in sentences', async () => {
    const env = { WORKERS: '2', PORT: String(server.port) };
    const refused = await startServer({ databaseUrl: database.url, env }).catch((error: Error) => error.message);
    expect(refused).toMatch(/ended with 1:/);
    expect(refused).toContain(
      'The port is in use. Stop the process that uses it, or set PORT to another port.\nA worker did not start.\n',
    );
    expect(refused).not.toMatch(/^ +at /m);
  });
}

test('SIGTERM stops all processes', async () => {
  const family = await familyOf(server.pid);
  expect(family).toHaveLength(3);
  await server.stop();
  expect(await server.ended).toBe(0);
  expect(await stillRunning(family)).toEqual([]);
});
