import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateKey } from '@/lib/access/applications/key-format';
import { createDatabase } from '@/tests/support/database';
import { freePort } from '@/tests/support/free-port';
import { endLaunches, freshDataDir, launch, launchReadOnly, removeDataDirs } from '@/tests/support/launcher';
import { askMetrics } from '@/tests/support/metrics';
import { hasProgram } from '@/tests/support/programs';
import { cellRecipe, hasProxy, RECIPES, startProxy } from '@/tests/support/proxies';
import { startReceiver, status } from '@/tests/support/receiver';
import { TEST_SECRET } from '@/tests/support/server';
import { sharedServer } from '@/tests/support/shared';
import { SOAK } from '@/tests/support/soak';
import { until } from '@/tests/support/until';

const TIMEOUT = 120_000;
const TOKEN = 'a-token-of-16-or-more';

let database: Awaited<ReturnType<typeof createDatabase>>;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
  await database.drop();
});

/** Returns the settings that the example of the page about the proxy gives to every process. */
async function documentedSettings(): Promise<Record<string, string>> {
  const page = await readFile('docs/proxy.md', 'utf8');
  const block = /```sh\n(ENVIRONMENT=[\s\S]*?)```/.exec(page)?.[1] ?? '';
  const pairs = block
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

test(
  'two processes with the documented settings start concurrently from one clone and share a new database',
  async () => {
    const settings = await documentedSettings();
    expect(Object.keys(settings)).toContain('SECRET_KEY');
    // Replaces the guide's example values. `PORT` and `DATA_DIR` differ between the processes, because both processes
    // run on one machine. `DRAIN_DELAY` is shortened.
    const given = { ENVIRONMENT: 'TEST', DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET, METRICS_TOKEN: TOKEN };
    const settingsOfOne = async () => {
      const [DATA_DIR, PORT] = [await freshDataDir(), String(await freePort())];
      await mkdir(DATA_DIR);
      return { ...settings, ...given, DRAIN_DELAY: '1', PORT, DATA_DIR };
    };
    const start = async () => {
      const one = await settingsOfOne();
      await launch(one).running();
      return `http://127.0.0.1:${one.PORT}`;
    };
    // Starts a process whose file system is read-only except for DATA_DIR. Its secrets are in files, and its first
    // database host is not reachable.
    const startInContainer = async () => {
      const { DATABASE_URL, SECRET_KEY, METRICS_TOKEN, ...one } = await settingsOfOne();
      const host = `127.0.0.1:1,${new URL(DATABASE_URL).host}`;
      const secrets = {
        DATABASE_URL: DATABASE_URL.replace(/@[^/]+/, `@${host}`),
        SECRET_KEY,
        METRICS_TOKEN,
      };
      const files: Record<string, string> = {};
      for (const [name, value] of Object.entries(secrets)) {
        const path = join(one.DATA_DIR, name);
        await writeFile(path, `${value}\n`, { mode: 0o600 });
        files[`${name}_FILE`] = path;
      }
      await (await launchReadOnly({ ...one, ...files })).running();
      return `http://127.0.0.1:${one.PORT}`;
    };
    for (const origin of await Promise.all([start(), startInContainer()])) {
      await until(
        async () => (await fetch(`${origin}/api/health`)).status,
        (status) => status === 200,
      );
      expect((await askMetrics(origin, TOKEN)).status).toBe(200);
    }
  },
  TIMEOUT,
);

// The following tests run only in `npm run test:soak`, because they need programs that npm does not install: nginx,
// Caddy, and Prometheus's promtool.
if (SOAK) {
  const proxies = (Object.keys(RECIPES) as (keyof typeof RECIPES)[]).filter((name) =>
    hasProxy(name, 1, 'the files of the proxies'),
  );
  const promtool = process.env.PROMTOOL || 'promtool';

  test.each(proxies)('%s serves requests with its file', async (name) => {
    const proxy = await startProxy(RECIPES[name], `127.0.0.1:${new URL(sharedServer().origin).port}`);
    try {
      // Requests without a key reach the server, even with large headers.
      const PADDING = { 'x-padding': 'x'.repeat(60_000) };
      for (const headers of [{}, PADDING]) expect(await proxy.get('/api/partner/v1/catalog', headers)).toBe(401);
      for (const path of ['/api/metrics', '/api/metrics/', '/api/health', '/api/health/live', '/api//health'])
        expect(await proxy.get(path), path).toBe(404);
      expect(await proxy.get('/docs')).toBe(200);
    } finally {
      await proxy.stop();
    }
  });

  if (hasProxy('nginx', 1, 'the routes to cells'))
    test('nginx routes each key to its cell with the generated map', async () => {
      const cells = await Promise.all([startReceiver(status(201)), startReceiver(status(202))]);
      const [home = '', other = ''] = cells.map(({ url }) => new URL(url).host);
      const proxy = await startProxy(cellRecipe(home, other), home);
      try {
        const statusOf = (authorization: string) => proxy.get('/api/partner/v1/catalog', { authorization });
        const key = generateKey('eu02');
        for (const known of [`Bearer ${key}`, `bearer ${key}`]) expect(await statusOf(known)).toBe(202);
        // This key is from the first cell. The cell directory in docs/cells.md sends it to the second cell.
        const moved = `pbk_live_eu01c4Hq81mZ${'x'.repeat(30)}`;
        expect([await statusOf(`Bearer ${moved}`), await statusOf(`Bearer ${moved}x`)]).toEqual([202, 201]);
        const others = [generateKey('eu01'), generateKey(''), generateKey('zz99'), key.slice(0, -1), `${key}x`, 'x'];
        for (const one of others) expect(await statusOf(`Bearer ${one}`), one).toBe(201);
        expect(await proxy.get('/api/partner/v1/catalog')).toBe(201);
      } finally {
        await proxy.stop();
        await Promise.all(cells.map((cell) => cell.close()));
      }
    });

  if (hasProgram(promtool, 1, 'the alerts'))
    test(
      'Prometheus accepts its files, and the alerts come when they should',
      async () => {
        await promisify(execFile)(promtool, ['check', 'rules', 'deploy/prometheus/alerts.yml']);
        // What must cause an alert, and that a failover and a single 5xx cause none.
        await promisify(execFile)(promtool, ['test', 'rules', 'tests/support/alerts.promtool.yml']);
        await promisify(execFile)(promtool, ['check', 'config', '--syntax-only', 'deploy/prometheus/prometheus.yml']);
      },
      TIMEOUT,
    );
}
