import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { refusal } from '@/tests/support/refusal';
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

/** The running `npm start`, which uses the directory `filled`. */
let current: Launch;

beforeAll(async () => {
  filled = await freshDataDir();
  current = launch({ DATA_DIR: filled });
  await current.running();
}, TIMEOUT);

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
});

// A start takes seconds, so each test uses the server that the previous test started.
describe('a start', () => {
  if (SOAK) {
    it(
      'runs LIVE beside TEST with separate databases, and without synthetic data in LIVE',
      async () => {
        const live = launch({ DATA_DIR: await freshDataDir(), ENVIRONMENT: 'LIVE' });
        await live.running();
        expect((await tryPrinted(current)).status).toBe(200);
        expect(live.output()).toContain('(LIVE) is running on');
        expect(live.output()).not.toMatch(/curl|synthetic/);
        live.interrupt('SIGTERM');
        expect(await live.ended()).toBe(0);
      },
      TIMEOUT,
    );
  }

  it(
    'prints a curl line that works, and keeps sign-ins and keys in private files',
    async () => {
      const DATA_DIR = filled;
      const { status, body, origin } = await tryPrinted(current);
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
      current.interrupt('SIGHUP');
      expect(await refusal({ DATA_DIR })).toBe(
        `Process ${current.pid} is already using the data directory ${DATA_DIR}. Stop that process first.`,
      );
      if (SOAK) {
        // The next release is migrated while this one serves requests.
        const migrating = launch({ DATA_DIR }, ['migrate']);
        expect([await migrating.ended(), migrating.output().trim()]).toEqual([0, 'The database is up to date.']);
      }
      expect((await tryPrinted(current)).status).toBe(200);
    },
    TIMEOUT,
  );

  it(
    'stops all processes on Ctrl-C, starts again without a long step, drains as process 1 of a container, and a start in the meantime waits',
    async () => {
      const keys = async () =>
        (JSON.parse(await readFile(join(filled, 'credentials.json'), 'utf8')) as { applications: unknown })
          .applications;
      const before = await keys();
      const family = await familyOf(current.pid);
      expect(family).toContain(await postmasterOf(filled));
      // A terminal signals the whole process group, and npm also forwards the signal, so the signal arrives twice.
      current.interrupt('SIGINT');
      current.interrupt('SIGINT');
      expect(await current.ended()).toBe(0);
      expect(await stillRunning(family)).toEqual([]);

      const drainSeconds = 4;
      const settings = { DATA_DIR: filled, PORT: String(await freePort()), DRAIN_DELAY: String(drainSeconds) };
      const first = await launchAsContainer(settings);
      await first.running();
      // This start has nothing to install, generate, create, or build.
      expect(first.output().match(/^.* …$/gm)).toEqual([`Starting ${version} (TEST) …`]);
      expect(first.output()).not.toContain('Filled');
      const { origin, status } = await tryPrinted(first);
      expect([status, await keys()]).toEqual([200, before]);

      const stopped = performance.now();
      await first.terminate();
      await until(
        async () => (await fetch(`${origin}/api/health`)).json(),
        ({ status }) => status === 'draining',
      );
      expect(await findUser(filled, 'stopping')).not.toBeNull();
      current = launch(settings);
      expect(await first.ended()).toBe(0);
      expect(performance.now() - stopped).toBeGreaterThanOrEqual(drainSeconds * 1000);
      await current.running();
      expect((await tryPrinted(current)).status).toBe(200);
    },
    TIMEOUT,
  );

  // `npm test` covers such a kill for the database alone (start/embedded.test.ts).
  if (SOAK) {
    it(
      'recovers after a kill that left the database running',
      async () => {
        const orphan = await postmasterOf(filled);
        process.kill(current.pid, 'SIGKILL');
        await current.ended();
        expect(await stillRunning([orphan])).toEqual([orphan]);
        current = launch({ DATA_DIR: filled });
        await current.running();
        expect(await stillRunning([orphan])).toEqual([]);
        expect((await tryPrinted(current)).status).toBe(200);
      },
      TIMEOUT,
    );
  }

  it(
    'reports a killed server in one sentence, and stops the database',
    async () => {
      const family = await familyOf(current.pid);
      const backends = await familyOf(await postmasterOf(filled));
      const server = family.find((pid) => pid !== current.pid && !backends.includes(pid));
      if (server) process.kill(server, 'SIGKILL');
      expect(await current.ended()).toBe(1);
      expect(current.output()).toContain('The server stopped unexpectedly (signal SIGKILL).');
      expect(await stillRunning(family)).toEqual([]);
    },
    TIMEOUT,
  );

  if (SOAK) {
    it(
      'stops all processes when interrupted during the start, and starts afterwards',
      async () => {
        const DATA_DIR = await freshDataDir();
        const started = launch({ DATA_DIR });
        await started.saying('Creating the database');
        const family = await familyOf(started.pid);
        started.interrupt('SIGTERM');
        expect(await started.ended()).toBe(0);
        expect(await stillRunning(family)).toEqual([]);
        const again = launch({ DATA_DIR });
        await again.running();
        expect((await tryPrinted(again)).status).toBe(200);
        again.interrupt('SIGTERM');
        expect(await again.ended()).toBe(0);
      },
      TIMEOUT,
    );
  }
});
