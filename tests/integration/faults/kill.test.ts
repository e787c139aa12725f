import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { newSeed, seeded } from '@/tests/support/random';
import { startServer, type TestServer } from '@/tests/support/server';
import { repeats } from '@/tests/support/soak';
import { createPartner, makeStage } from '@/tests/support/storm';
import { expectTruth, sendLoad } from '@/tests/support/truth';
import { mixedWrites } from './writes';

const KILLS = repeats(1, 20);
const WORKERS = 16;

let database: OwnDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
});

afterAll(async () => {
  await server?.stop();
  await database.drop();
});

test(
  'a server killed several times under write load loses no acknowledged success, and retries find all other changes',
  async () => {
    const { rows } = await database.query('SHOW fsync');
    expect(rows).toEqual([{ fsync: 'on' }]);
    const seed = newSeed();
    const random = seeded(seed);
    const stage = await makeStage({ specialists: 3, services: [{ capacity: 2 }] });
    const [key = ''] = stage.keys;
    const acknowledged = new Set<string>();
    const writes = mixedWrites(stage.place, random);
    server = await startServer({ databaseUrl: database.url });
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const victim = server;
      let ahead = 20 + Math.floor(random() * 100);
      let killed: Promise<void> | null = null;
      const sent = await sendLoad(createPartner(victim.origin, key), {
        workers: WORKERS,
        next: writes.next,
        stop: () => killed !== null,
        onResponse: (one) => {
          writes.record(one);
          if (one.reply && one.reply.status < 300) ahead -= 1;
          if (ahead === 0) killed ??= victim.kill();
        },
      });
      await killed;
      server = await startServer({ databaseUrl: database.url });
      const found = await expectTruth(stage.tenantId, createPartner(server.origin, key), sent, acknowledged);
      expect(found.received, `seed ${seed}, kill ${kill}`).toBeGreaterThanOrEqual(20);
      expect(sent.filter(({ reply }) => reply === null).length, `seed ${seed}, kill ${kill}`).toBeGreaterThan(0);
    }
  },
  repeats(180_000, 900_000),
);
