import { afterAll, beforeAll, expect, test } from 'vitest';
import { mirror, reader } from '@/tests/support/mirror';
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
  'a server killed under write load loses no acknowledged success, retries find all other changes, and a partner rebuilds its database from the API alone',
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
    const read = reader(() => server.origin, key);
    const followed = mirror(read);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const context = `seed ${seed}, kill ${kill}`;
      const victim = server;
      let ahead = repeats(30, 60) + Math.floor(random() * repeats(30, 100));
      let killed: Promise<void> | null = null;
      const load = sendLoad(createPartner(victim.origin, key), {
        workers: WORKERS,
        next: writes.next,
        stop: () => killed !== null,
        onResponse: (one) => {
          writes.record(one);
          if (one.reply && one.reply.status < 300) ahead -= 1;
          if (ahead === 0) killed ??= victim.kill();
        },
      });
      // The load ends with the kill, and both mirrors go on with the next server.
      const rebuilt = mirror(read);
      const following = Promise.all([rebuilt.rebuild(), followed.follow()]);
      const sent = await load;
      await killed;
      server = await startServer({ databaseUrl: database.url });
      const partner = createPartner(server.origin, key);
      const found = await expectTruth(stage.tenantId, partner, sent, acknowledged);
      expect(found.received, context).toBeGreaterThanOrEqual(20);
      expect(sent.filter(({ reply }) => reply === null).length, context).toBeGreaterThan(0);
      await following;
      let done = false;
      let left = 40;
      const more = sendLoad(partner, {
        workers: WORKERS,
        next: writes.next,
        stop: () => done,
        onResponse: (one) => {
          writes.record(one);
          left -= 1;
        },
      });
      while (left > 0) await rebuilt.expectEqual();
      await followed.expectEqual();
      done = true;
      await expectTruth(stage.tenantId, partner, await more, acknowledged);
      await rebuilt.expectEqual();
      await followed.expectEqual();
      expect([rebuilt.bookings, followed.bookings.size], context).toEqual([followed.bookings, rebuilt.bookings.size]);
      expect(rebuilt.bookings.size, context).toBeGreaterThan(10);
    }
    const numbered = await database.query(
      `SELECT (SELECT count(*) FROM events WHERE application_id IS NOT NULL)::int AS events, count(*)::int AS numbered,
         count(DISTINCT (application_id, sequence))::int AS distinct, sum(sequence)::int AS sum, max(sequence)::int AS max
       FROM event_sequences`,
    );
    const { max } = numbered.rows[0] as { max: number };
    expect(numbered.rows).toEqual([{ events: max, numbered: max, distinct: max, max, sum: (max * (max + 1)) / 2 }]);
  },
  repeats(180_000, 1_800_000),
);
