import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '@/lib/platform/postgres/postmaster';
import { findUser } from '@/scripts/bootstrap/lock.mjs';
import {
  clusterOf,
  endLaunches,
  familyOf,
  freshDataDir,
  type Launch,
  launch,
  launchAsContainer,
  removeDataDirs,
  stillRunning,
} from '@/tests/support/launcher';
import { SOAK } from '@/tests/support/soak';
import { until } from '@/tests/support/until';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** Timeout in milliseconds of a test with several starts on a busy machine. */
const TIMEOUT = 120_000;

/** Sends the same request as the printed curl command, but with `fetch`. */
async function tryPrinted(started: Launch): Promise<{ status: number; body: string; origin: string }> {
  const [, key = '', url = ''] = /^curl -s -H 'Authorization: Bearer (\S+)' (\S+)$/m.exec(started.output()) ?? [];
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return { status: answer.status, body: await answer.text(), origin: new URL(url).origin };
}

async function postmasterOf(dataDir: string): Promise<number> {
  return Number((await readFile(join(await clusterOf(dataDir), 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** The data directory that these tests share. The first start fills it. */
let filled = '';

/** The running `npm start`, which uses the directory `filled`. Null after a test that ended it. */
let current: Launch | null = null;

beforeAll(async () => {
  filled = await freshDataDir();
});

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  await endLaunches();
  current = null;
});

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
});

/** Returns `current`. If there is none yet, launches it, so that each test can run alone. */
async function running(): Promise<Launch> {
  current ??= launch({ DATA_DIR: filled });
  await current.running();
  return current;
}

// A start takes seconds, so each test uses the server that the previous test started.
describe('a start', () => {
  it(
    'prints a curl line that works, and keeps sign-ins and keys in private files',
    async () => {
      const DATA_DIR = filled;
      const started = await running();
      const { status, body, origin } = await tryPrinted(started);
      expect(status).toBe(200);
      expect(body).toContain('"services":[{"id":"svc_');
      for (const name of ['credentials.json', 'secrets.json']) {
        expect((await stat(join(DATA_DIR, name))).mode & 0o777).toBe(0o600);
      }
      expect((await stat(DATA_DIR)).mode & 0o777).toBe(0o700);
      const credentials = JSON.parse(await readFile(join(DATA_DIR, 'credentials.json'), 'utf8')) as Record<
        string,
        unknown
      >;
      expect(credentials).toMatchObject({ base_url: `${origin}/api/partner/v1`, owner: { email: expect.any(String) } });

      // A server without a terminal ignores SIGHUP, so it still runs.
      started.interrupt('SIGHUP');
      const second = launch({ DATA_DIR });
      expect(await second.ended()).toBe(1);
      expect(second.output().trim()).toBe(
        `Process ${started.pid} is already using the data directory ${DATA_DIR}. Stop that process first.`,
      );
      // The next release is migrated while this one serves requests.
      const migrating = launch({ DATA_DIR }, ['migrate']);
      expect([await migrating.ended(), migrating.output().trim()]).toEqual([0, 'The database is up to date.']);
      expect((await tryPrinted(started)).status).toBe(200);
    },
    TIMEOUT,
  );

  it(
    'stops all processes on Ctrl-C, and starts again without a long step and with the same data',
    async () => {
      const first = await running();
      const before = await readFile(join(filled, 'credentials.json'), 'utf8');
      const family = await familyOf(first.pid);
      expect(family).toContain(await postmasterOf(filled));
      // A terminal signals the whole process group, and npm also forwards the signal, so the signal arrives twice.
      first.interrupt('SIGINT');
      first.interrupt('SIGINT');
      expect(await first.ended()).toBe(0);
      expect(await stillRunning(family)).toEqual([]);

      current = null;
      const second = await running();
      // The second start has nothing to install, generate, create, or build.
      expect(second.output().match(/^.* …$/gm)).toEqual([`Starting ${version} (TEST) …`]);
      expect(second.output()).not.toContain('Filled');
      expect((await tryPrinted(second)).status).toBe(200);
      const after = await readFile(join(filled, 'credentials.json'), 'utf8');
      const keys = (text: string) => (JSON.parse(text) as { applications: unknown }).applications;
      expect(keys(after)).toEqual(keys(before));
    },
    TIMEOUT,
  );

  it(
    'reports a killed server in one sentence, and stops the database',
    async () => {
      const started = await running();
      const family = await familyOf(started.pid);
      const backends = await familyOf(await postmasterOf(filled));
      const server = family.find((pid) => pid !== started.pid && !backends.includes(pid));
      if (server) process.kill(server, 'SIGKILL');
      expect(await started.ended()).toBe(1);
      expect(started.output()).toContain('The server stopped unexpectedly (signal SIGKILL).');
      expect(await stillRunning(family)).toEqual([]);
      current = null;
    },
    TIMEOUT,
  );

  // `npm test` covers such a kill for the database alone (start/embedded.test.ts).
  if (SOAK) {
    it(
      'recovers after a kill that left the database running',
      async () => {
        const first = await running();
        const orphan = await postmasterOf(filled);
        process.kill(first.pid, 'SIGKILL');
        await first.ended();
        expect(await stillRunning([orphan])).toEqual([orphan]);
        current = null;
        const second = await running();
        expect(await stillRunning([orphan])).toEqual([]);
        expect((await tryPrinted(second)).status).toBe(200);
      },
      TIMEOUT,
    );
  }

  it(
    'runs LIVE beside TEST with separate databases, and without synthetic data in LIVE',
    async () => {
      const live = launch({ DATA_DIR: await freshDataDir(), ENVIRONMENT: 'LIVE' });
      const [test] = await Promise.all([running(), live.running()]);
      expect((await tryPrinted(test)).status).toBe(200);
      expect(live.output()).toContain('(LIVE) is running on');
      expect(live.output()).not.toMatch(/curl|synthetic/);
      for (const one of [test, live]) one.interrupt('SIGTERM');
      expect(await Promise.all([test.ended(), live.ended()])).toEqual([0, 0]);
      current = null;
    },
    TIMEOUT,
  );

  it(
    'drains when npm is stopped as process 1 of a container, and a start in the meantime waits for its port',
    async () => {
      const drainSeconds = 4;
      const settings = { DATA_DIR: filled, PORT: String(await freePort()), DRAIN_DELAY: String(drainSeconds) };
      const first = await launchAsContainer(settings);
      await first.running();
      const { origin } = await tryPrinted(first);
      const stopped = performance.now();
      await first.terminate();
      await until(
        async () => (await fetch(`${origin}/api/health`)).json(),
        ({ status }) => status === 'draining',
      );
      expect(await findUser(filled, 'stopping')).not.toBeNull();
      const second = launch(settings);
      expect(await first.ended()).toBe(0);
      expect(performance.now() - stopped).toBeGreaterThanOrEqual(drainSeconds * 1000);
      await second.running();
      expect((await tryPrinted(second)).status).toBe(200);
      current = second;
    },
    TIMEOUT,
  );

  it(
    `stops all processes when interrupted during the start${SOAK ? ', and starts afterwards' : ''}`,
    async () => {
      const DATA_DIR = await freshDataDir();
      const started = launch({ DATA_DIR });
      await started.saying('Creating the database');
      const family = await familyOf(started.pid);
      started.interrupt('SIGTERM');
      expect(await started.ended()).toBe(0);
      expect(await stillRunning(family)).toEqual([]);
      if (!SOAK) return;
      const again = launch({ DATA_DIR });
      await again.running();
      expect((await tryPrinted(again)).status).toBe(200);
      again.interrupt('SIGTERM');
      expect(await again.ended()).toBe(0);
    },
    TIMEOUT,
  );
});
