import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeDb } from '@/lib/platform/db';
import { resetSingleton } from '@/lib/platform/singleton';
import { mixedWrites } from '@/tests/integration/faults/writes';
import { type Deployment, deploy } from '@/tests/integration/history/deployments';
import { anomaliesOf } from '@/tests/support/history/anomalies';
import { type Clients, finalOf, startClients } from '@/tests/support/history/clients';
import { expectIntact } from '@/tests/support/invariants';
import { type Cluster, startCluster } from '@/tests/support/patroni/cluster';
import type { Member } from '@/tests/support/patroni/member';
import { hasProgram } from '@/tests/support/programs';
import { newSeed, seeded } from '@/tests/support/random';
import { repeats } from '@/tests/support/soak';
import { makeStage } from '@/tests/support/storm';
import { untilQuiet } from '@/tests/support/truth';
import { until } from '@/tests/support/until';

const CLIENTS = 8;
const CAPACITY = 2;
/** Number of writes that must succeed before a fault, and again with the new leader. */
const PROGRESS = 50;
/** Milliseconds. */
const RECOVERED_WITHIN = 120_000;

let cluster: Cluster;
let deployment: Deployment;

type Fault = { name: string; inject: (leader: Member) => Promise<void>; mend: (leader: Member) => void };

const FAULTS: Fault[] = [
  {
    name: 'SIGKILL of the leader, its Patroni, and its etcd',
    inject: (leader) => cluster.kill(leader),
    mend: (leader) => cluster.restart(leader),
  },
  { name: 'switchover', inject: (leader) => cluster.switchover(leader), mend: () => {} },
  {
    name: 'the leader loses etcd, but the servers still reach it',
    inject: async (leader) => leader.cut('etcd'),
    mend: (leader) => leader.heal(),
  },
  {
    name: 'the leader loses all connections, which stay half-open',
    inject: async (leader) => leader.cut('everything'),
    mend: (leader) => leader.heal(),
  },
];

/** Returns the longest time, in milliseconds, in which no write succeeded after `since`. */
function longestPause({ history }: Clients, since: number): number {
  const ends = history.writes.flatMap(({ ended, result }) => (typeof result === 'string' ? [] : [ended]));
  const times = [since, ...ends.filter((one) => one > since).sort((a, b) => a - b)];
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}

const ROUNDS = repeats(1, 3);
const CASES = Array.from({ length: ROUNDS }, (_, round) => FAULTS.map((fault) => ({ ...fault, round: round + 1 })));

/** Needs Patroni and etcd, which npm does not install, and minutes. */
function isRun(): boolean {
  const tests = ROUNDS * FAULTS.length;
  return hasProgram('patroni', tests, 'the failovers') && hasProgram('etcd', tests, 'the failovers');
}

if (isRun())
  describe('three members with Patroni', () => {
    beforeAll(async () => {
      cluster = await startCluster();
      Object.assign(process.env, { DATABASE_URL: cluster.url, LOG_LEVEL: 'silent' });
      resetSingleton('env');
      deployment = await deploy({ servers: 2, workers: 1, databaseUrl: cluster.url, random: Math.random });
    }, 300_000);

    afterAll(async () => {
      await deployment?.end();
      await closeDb();
      await cluster?.destroy();
    }, 60_000);

    test.each(CASES.flat())(
      '$name, round $round: no acknowledged write is lost or made twice',
      async ({ name, inject, mend }) => {
        const leader = await cluster.untilHealthy();
        const seed = newSeed();
        const random = seeded(seed);
        const stage = await makeStage({ specialists: 2, services: [{ capacity: CAPACITY }] });
        deployment.serve(stage.keys[0] ?? '');
        const clients = startClients(CLIENTS, {
          ...mixedWrites(stage.place, random),
          partners: deployment.partners,
          random,
        });
        const successesReach = (count: number) =>
          until(
            async () => clients.successes(),
            (now) => now >= count,
            RECOVERED_WITHIN,
          );
        await successesReach(PROGRESS);
        await delay(500 * random());
        const [since, before] = [performance.now(), clients.successes()];
        await inject(leader);
        const next = await until(
          () => cluster.leader(leader),
          (found) => found !== undefined && found !== leader,
          RECOVERED_WITHIN,
        );
        const promoted = performance.now();
        await successesReach(clients.successes() + PROGRESS);
        await clients.stop();
        mend(leader);
        expect(await cluster.untilHealthy()).toBe(next);
        await untilQuiet();
        await clients.settle();
        await untilQuiet();
        expect(anomaliesOf(clients.history, await finalOf(stage.tenantId, CAPACITY)), `seed ${seed}`).toEqual([]);
        await expectIntact(stage.tenantId, `seed ${seed}`);
        const figures = {
          fault: name,
          seed,
          'writes acknowledged before': before,
          'writes sent': clients.history.writes.length,
          'without a result': clients.history.writes.filter(({ result }) => result === 'unknown').length,
          's until a new leader': Math.round((promoted - since) / 100) / 10,
          's without a successful write': Math.round(longestPause(clients, since) / 100) / 10,
        };
        console.log(JSON.stringify(figures));
      },
      600_000,
    );
  });
