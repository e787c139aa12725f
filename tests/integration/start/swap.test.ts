import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { readRelease } from '@/lib/platform/release';
import { startBalancer } from '@/tests/support/balancer';
import { openPool } from '@/tests/support/database';
import { freePort } from '@/tests/support/free-port';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { hasProxy, nginxRecipe, startProxy } from '@/tests/support/proxies';
import { laterRelease, packageRelease, pointTo, startService } from '@/tests/support/releases';
import { TEST_SECRET as SECRET_KEY } from '@/tests/support/server';
import { repeats } from '@/tests/support/soak';
import { callOnce, downtime, failuresOf, poll, repeatedly, type Sample, sample } from '@/tests/support/steady';
import { cancelOf, createOf, dayAhead, makeStage, type Stage, type Write } from '@/tests/support/storm';
import { until } from '@/tests/support/until';
import { fillDays, makeSalon } from '../../bench/salon';

/** Packaging and several swaps on a busy machine, in milliseconds. */
const TIMEOUT = 900_000;
const SWAPS = repeats(1, 3);
/** Milliseconds between two requests of the client that measures. */
const EVERY = 50;
/** Milliseconds for which it continues after a restart. */
const AFTER = 1_000;
/** Milliseconds until nginx uses an instance again (`fail_timeout`). */
const USED_AGAIN = 5_000;
/** Milliseconds (docs/upgrade.md). */
const LONGEST_DOWNTIME = 5_000;
const CLIENTS = 4;
/** 40 per specialist and day. */
const BOOKINGS = { specialists: 50, days: 50 };

/** What `docs/upgrade.md` calls expanding. */
const sqlOf = (swap: number) => `
  ALTER TABLE bookings ADD COLUMN later_${swap} integer NOT NULL DEFAULT 0;
  ALTER TABLE services ADD COLUMN later_${swap} text;
  CREATE TABLE later_${swap} (id text PRIMARY KEY);`;

let database: OwnDatabase;
let stage: Stage;
/** The parent of the releases. */
let place = '';
let swaps = 0;
let settings: Record<string, string> = {};

const current = () => join(place, 'current');
const folderOf = (swap: number) => join(place, `booking-${swap}`);

async function fill(): Promise<void> {
  stage = await makeStage({ specialists: 8, services: [{ capacity: 4 }] });
  const [applicationId = ''] = stage.applicationIds;
  const { specialists, days } = BOOKINGS;
  const salon = await makeSalon({ tenantId: stage.tenantId, applicationId }, specialists);
  const admin = openPool(database.adminUrl, 1);
  await fillDays(admin, salon, salon.specialistIds, new Date(`${dayAhead(30)}T00:00:00Z`), days);
  await admin.end();
}

beforeAll(async () => {
  database = await ownDatabase();
  await fill();
  place = await freshDataDir();
  await mkdir(place);
  await packageRelease(folderOf(0));
  settings = { DATABASE_URL: database.url, SECRET_KEY, INNGEST_DEV: 'http://127.0.0.1:1', WORKERS: '2' };
}, TIMEOUT);

afterEach(endLaunches);

afterAll(async () => {
  await removeDataDirs();
  await database.drop();
});

/** Writes the next release beside the others, and migrates the database to it. The servers keep running. */
async function prepareSwap(given: Record<string, string>): Promise<string> {
  const before = folderOf(swaps);
  swaps += 1;
  const name = `29990101${String(swaps).padStart(6, '0')}_later`;
  await laterRelease(before, folderOf(swaps), { version: `99.0.${swaps}`, migration: { name, sql: sqlOf(swaps) } });
  const asOwner = given.DATABASE_URL ? { ...given, MIGRATION_DATABASE_URL: database.ownerUrl } : given;
  const migrating = launch(asOwner, ['migrate'], folderOf(swaps));
  expect(await migrating.ended(), migrating.output()).toBe(0);
  expect(migrating.output()).toContain(`Applied ${name}.`);
  return folderOf(swaps);
}

async function healthOf(origin: string): Promise<{ status: string; version: string }> {
  return JSON.parse((await callOnce(origin, { path: '/api/health' })).body) as { status: string; version: string };
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const headers = () => ({ authorization: `Bearer ${stage.keys[0]}` });

const writing = ({ path, key, body }: Write) => ({
  method: 'POST',
  path,
  headers: { ...headers(), 'idempotency-key': key },
  body,
});

/** Reads the catalog, creates a booking, reads it, and cancels it. */
function partnerRound(samples: Sample[], origin: string, client: number) {
  const wish = { date: dayAhead(7 + client), start_time: '10:00' };
  return async () => {
    await sample(samples, origin, { path: CATALOG, headers: headers() });
    const made = await sample(samples, origin, writing(createOf(stage.place, wish)));
    if (made === null) return;
    const { booking } = (JSON.parse(made) as { data: { booking: { reference: string; version: number } } }).data;
    await sample(samples, origin, { path: `${BASE_PATH}/bookings/${booking.reference}`, headers: headers() });
    await sample(samples, origin, writing(cancelOf(booking)));
  };
}

/** Measures the downtime of each swap, and returns them. */
async function measureSwaps(given: Record<string, string>, key: string): Promise<number[]> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const call = { path: CATALOG, headers: { authorization: `Bearer ${key}` } };
  await pointTo(current(), await prepareSwap(given));
  const service = await startService(current(), { ...given, PORT: String(port) });
  const times: number[] = [];
  for (let swap = 0; swap < SWAPS; swap += 1) {
    const client = poll(origin, call, EVERY);
    const folder = await prepareSwap(given);
    await pointTo(current(), folder);
    await service.restart();
    await delay(AFTER);
    const samples = await client.stop();
    // No request gets a wrong answer: a client knows that it can repeat each one.
    expect(failuresOf(samples).filter((one) => !/: 0 ECONN(REFUSED|RESET)$/.test(one))).toEqual([]);
    times.push(Math.round(downtime(samples)));
    expect((await healthOf(origin)).version).toBe(readRelease(folder).version);
  }
  await service.stop();
  return times;
}

describe('one instance', () => {
  test(`is down for at most ${LONGEST_DOWNTIME} ms`, { timeout: TIMEOUT }, async () => {
    const times = await measureSwaps({ ...settings, DATA_DIR: join(place, 'one') }, stage.keys[0] ?? '');
    console.log(`One instance was down for ${times.join(', ')} ms.`);
    expect(median(times)).toBeLessThan(LONGEST_DOWNTIME);
  });

  test('with the embedded PostgreSQL is migrated while it runs, too', { timeout: TIMEOUT }, async () => {
    const DATA_DIR = join(place, 'embedded');
    const given = { DATA_DIR, WORKERS: '2' };
    await pointTo(current(), await prepareSwap(given));
    const filling = await startService(current(), given);
    await filling.stop();
    const { applications } = JSON.parse(await readFile(join(DATA_DIR, 'credentials.json'), 'utf8')) as {
      applications: { api_key: string }[];
    };
    const times = await measureSwaps(given, applications[0]?.api_key ?? '');
    console.log(`One instance with the embedded PostgreSQL was down for ${times.join(', ')} ms.`);
    expect(median(times)).toBeLessThan(LONGEST_DOWNTIME);
  });
});

/** Name, and DRAIN_DELAY. The balancer of the tests asks for `/api/health`. nginx has the file of `deploy`. */
const PROXIES: [string, number, (ports: number[]) => Promise<{ origin: string; stop: () => Promise<void> }>][] = [
  [
    'a proxy with health checks fail no request',
    2,
    async (ports) => {
      const { origin, close } = await startBalancer(ports.map((port) => ({ port })));
      return { origin, stop: close };
    },
  ],
];
if (hasProxy('nginx', 1, 'an upgrade behind a real proxy'))
  PROXIES.push([
    'nginx, which has none, fail no request either',
    10,
    async (ports) => {
      const { port, stop } = await startProxy(nginxRecipe(ports), '');
      return { origin: `https://127.0.0.1:${port}`, stop };
    },
  ]);

describe('two instances', () => {
  test.each(PROXIES)('behind %s', { timeout: TIMEOUT }, async (_, drainDelay, start) => {
    const shared = { ...settings, INSTANCES: '2', TRUSTED_PROXIES: '1', DRAIN_DELAY: String(drainDelay) };
    const ports = [await freePort(), await freePort()];
    await pointTo(current(), await prepareSwap(shared));
    const services = await Promise.all(
      ports.map((port) => startService(current(), { ...shared, PORT: String(port), DATA_DIR: join(place, `${port}`) })),
    );
    const proxy = await start(ports);
    const samples: Sample[] = [];
    const rounds = Array.from({ length: CLIENTS }, (_, client) => partnerRound(samples, proxy.origin, client));
    const load = repeatedly(rounds, EVERY);
    for (let swap = 0; swap < SWAPS; swap += 1) {
      const folder = await prepareSwap(shared);
      await pointTo(current(), folder);
      for (const [index, service] of services.entries()) {
        await service.restart();
        const origin = `http://127.0.0.1:${ports[index]}`;
        await until(
          () => healthOf(origin),
          ({ status, version }) => status === 'ok' && version === readRelease(folder).version,
        );
        await delay(USED_AGAIN);
      }
    }
    await load.stop();
    console.log(`${samples.length} requests during ${SWAPS * services.length} restarts`);
    expect(samples.length).toBeGreaterThan(100 * SWAPS);
    expect(failuresOf(samples.filter(({ status }) => status >= 300 || status === 0))).toEqual([]);
    for (const service of services) await service.stop();
    await proxy.stop();
  });
});

describe('going back', () => {
  test('is the same swap without new migrations, and is refused with them', { timeout: TIMEOUT }, async () => {
    const given = { ...settings, DATA_DIR: join(place, 'back') };
    const before = await prepareSwap(given);
    await pointTo(current(), before);
    const service = await startService(current(), given);
    const after = `${before}-fixed`;
    await laterRelease(before, after, { version: '99.1.0' });
    for (const folder of [after, before]) {
      await pointTo(current(), folder);
      await service.restart();
      expect(service.output()).toContain(`Starting ${readRelease(folder).version} `);
    }
    await service.stop();
    await pointTo(current(), folderOf(0));
    const refused = launch(given, ['start'], current());
    expect(await refused.ended()).toBe(1);
    expect(refused.output()).toContain('This version is older: start version 99.');
  });
});
