import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb } from '@/lib/platform/db';
import { mixedWrites } from '@/tests/integration/faults/writes';
import { type FaultProxy, startFaultProxy } from '@/tests/support/fault-proxy';
import { changeSettings } from '@/tests/support/fresh-process';
import { anomaliesOf } from '@/tests/support/history/anomalies';
import { staleReadsOf, startCachedReads } from '@/tests/support/history/cached';
import { finalOf, startClients } from '@/tests/support/history/clients';
import { expectIntact } from '@/tests/support/invariants';
import { type OwnPostgres, startPostgres } from '@/tests/support/postgres-restart';
import { newSeed, seeded } from '@/tests/support/random';
import { makeStage } from '@/tests/support/storm';
import { untilQuiet } from '@/tests/support/truth';
import { until } from '@/tests/support/until';
import { DEPLOYMENTS, deploy } from './deployments';
import { FAULTS, type Fault, randomFault, type System } from './faults';

/** Per deployment. */
const ROUNDS = Number(process.env.SOAK_ROUNDS ?? 10);
/** Each round has its own tenant. */
const FAULTS_OF_ROUND = 20;
const CLIENTS = 8;
/** Number of writes that must succeed between two faults. */
const PROGRESS = 10;
/** After a fault, `PROGRESS` writes must succeed within this number of milliseconds. */
const PROGRESS_WITHIN = 60_000;
const CAPACITY = 2;

let postgres: OwnPostgres;
let proxy: FaultProxy;

beforeAll(async () => {
  postgres = await startPostgres();
  changeSettings({ DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' });
  proxy = await startFaultProxy(postgres.url);
});

afterAll(async () => {
  await proxy?.stop();
  await closeDb();
  await postgres?.destroy();
});

/**
 * Runs clients while faults are injected. Asserts that requests and responses are consistent with the database, and
 * that no server served an old catalog or policy. Returns the histories, and the number of successful writes.
 */
async function round(system: System, faults: Fault[], seed: number) {
  const stage = await makeStage({ specialists: 2, services: [{ capacity: CAPACITY }] });
  system.deployment.serve(stage.keys[0] ?? '');
  const writes = mixedWrites(stage.place, system.random);
  const { partners } = system.deployment;
  const clients = startClients(CLIENTS, { ...writes, partners, random: system.random });
  const { tenantId, place, applicationIds } = stage;
  const cached = startCachedReads({
    partners,
    random: system.random,
    tenantId,
    serviceId: place.serviceId,
    applicationId: applicationIds[0] ?? '',
  });
  const progress = async (since: number) =>
    until(
      async () => clients.successes(),
      (count) => count >= since + PROGRESS,
      PROGRESS_WITHIN,
    );
  try {
    await progress(0);
    for (const fault of faults) {
      const since = clients.successes();
      await FAULTS[fault](system);
      await progress(since);
    }
  } finally {
    await Promise.all([clients.stop(), cached.stop()]);
  }
  await untilQuiet();
  await clients.settle();
  await untilQuiet();
  const anomalies = anomaliesOf(clients.history, await finalOf(stage.tenantId, CAPACITY));
  expect(anomalies, `seed ${seed}`).toEqual([]);
  expect(staleReadsOf(cached.history), `seed ${seed}`).toEqual([]);
  await expectIntact(stage.tenantId, `seed ${seed}`);
  return { history: clients.history, cached: cached.history, successes: clients.successes() };
}

/** Prints the figures for the table in docs/reliability.md. */
function report(name: string, figures: Record<string, number>): void {
  console.log(
    `${name}: ${Object.entries(figures)
      .map(([what, count]) => `${what} ${count}`)
      .join(', ')}`,
  );
}

test.each(DEPLOYMENTS)(
  'clients of $name see no anomaly during random faults',
  async ({ name, ...size }) => {
    const seed = newSeed();
    const random = seeded(seed);
    const deployment = await deploy({ ...size, databaseUrl: proxy.url, random });
    const system = { deployment, postgres, proxy, random };
    const figures: Record<string, number> = { seed };
    const count = (what: string, by: number) => {
      figures[what] = (figures[what] ?? 0) + by;
    };
    try {
      for (let number = 1; number <= ROUNDS; number += 1) {
        const faults = Array.from({ length: FAULTS_OF_ROUND }, () => randomFault(random));
        const { history, cached, successes } = await round(system, faults, seed);
        for (const fault of faults) count(fault, 1);
        count('successes', successes);
        count('writes sent', history.writes.length);
        count('writes without a response', history.writes.filter(({ result }) => result === 'unknown').length);
        count('reads', history.reads.length);
        count('reads of cached records', cached.reads.length);
        report(name, figures);
      }
    } finally {
      await deployment.end();
    }
  },
  3_600_000,
);
