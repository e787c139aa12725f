import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb } from '@/lib/platform/db';
import { changeSettings } from '@/tests/support/fresh-process';
import { ownDatabase } from '@/tests/support/own-database';
import { startPostgres } from '@/tests/support/postgres-restart';
import { newSeed, seeded } from '@/tests/support/random';
import { startServer, type TestServer } from '@/tests/support/server';
import { repeats, SOAK } from '@/tests/support/soak';
import { createPartner, makeStage, outcomeOf, outcomes, warmUp } from '@/tests/support/storm';
import { expectTruth, type Sent, sendLoad } from '@/tests/support/truth';
import { until } from '@/tests/support/until';
import { mixedWrites } from './writes';

/** Maximum time until a response, in milliseconds (contract B8). */
const LONGEST = 8_000;
/** Maximum milliseconds of each wait. The limit is high, because the machine may be busy. */
const TIMEOUT = 30_000;
const WORKERS = 12;

type Database = { url: string; stop: (mode: 'immediate' | 'fast') => Promise<void>; start: () => Promise<void> };

let database: Database & { end: () => Promise<void> };
let server: TestServer;

async function ownServer(): Promise<typeof database> {
  const postgres = await startPostgres();
  changeSettings({ DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' });
  const end = async () => {
    await closeDb();
    await postgres.destroy();
  };
  return { ...postgres, end };
}

/** Closes all connections and refuses new ones, which takes no PostgreSQL of its own. */
async function closable(): Promise<typeof database> {
  const { url, shut, open, drop } = await ownDatabase();
  return { url, stop: shut, start: open, end: drop };
}

beforeAll(async () => {
  database = await (SOAK ? ownServer() : closable());
  server = await startServer({ databaseUrl: database.url });
  await warmUp(server.origin);
});

afterAll(async () => {
  await server?.stop();
  await database?.end();
});

test.each((['immediate', 'fast'] as const).slice(0, repeats(1, 2)))(
  'during a %s restart of PostgreSQL under load responses are 503 with Retry-After, and the server recovers by itself',
  async (mode) => {
    const random = seeded(newSeed());
    const stage = await makeStage({ specialists: 3, services: [{ capacity: 2 }] });
    const partner = createPartner(server.origin, stage.keys[0] ?? '');
    const writes = mixedWrites(stage.place, random);
    const received: Sent[] = [];
    const good = () => received.filter(({ reply }) => reply && reply.status < 300).length;
    const refused = () => received.filter(({ reply }) => reply?.status === 503).length;
    let over = false;
    let longest = 0;
    const next = () => writes.next();
    const timed = {
      ...partner,
      attempt: async (write: Sent['write']) => {
        const startedAt = performance.now();
        const reply = await partner.attempt(write);
        longest = Math.max(longest, performance.now() - startedAt);
        // A refusal takes a millisecond. Without the pause, the test would send thousands of writes, all of them twice.
        if (reply?.status === 503) await delay(100);
        return reply;
      },
    };
    const load = sendLoad(timed, {
      workers: WORKERS,
      next,
      stop: () => over,
      onResponse: (sent) => {
        received.push(sent);
        writes.record(sent);
      },
    });
    try {
      await until(
        async () => good(),
        (count) => count >= 30,
        TIMEOUT,
      );
      await database.stop(mode);
      await until(
        async () => refused(),
        (count) => count >= WORKERS,
        TIMEOUT,
      );
      await database.start();
      const before = good();
      await until(
        async () => good(),
        (count) => count >= before + 30,
        TIMEOUT,
      );
    } finally {
      over = true;
    }
    const sent = await load;
    const { broken, ...answered } = outcomes(sent.map(({ reply }) => reply));
    expect(broken).toBeUndefined();
    for (const name of Object.keys(answered)) expect(name).toMatch(/^(201|200|409 .*|503 service_unavailable)$/);
    expect(longest).toBeLessThan(LONGEST);
    // All errors of broken connections must have been handled.
    expect(server.errors()).not.toContain('uncaughtException');
    await expectTruth(stage.tenantId, partner, sent, new Set());
    expect(outcomeOf(await partner.send(writes.next()))).not.toMatch(/^5/);
  },
  90_000,
);
