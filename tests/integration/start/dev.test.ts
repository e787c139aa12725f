import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { WebSocket } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '@/tests/support/database';
import { endLaunches, freshDataDir, type Launch, launch, removeDataDirs } from '@/tests/support/launcher';
import { SOAK } from '@/tests/support/soak';
import { until } from '@/tests/support/until';

/** Timeout in milliseconds of a test whose development server compiles pages on a busy machine. */
const TIMEOUT = 240_000;

/** The files and directories in the repository that the development server needs. */
const PARTS = [
  'app',
  'docs',
  'inngest',
  'lib',
  'prisma',
  'public',
  'scripts',
  'next.config.ts',
  'package.json',
  'package-lock.json',
  'prisma.config.ts',
  'tsconfig.json',
];

let root = '';
let database: TestDatabase;
let started: Launch;
let origin = '';

/** Copies the repository so that this test's edits affect no other test. */
beforeAll(async () => {
  await mkdir('.cache', { recursive: true });
  // The copy is inside the repository, because Next's bundler does not follow links to packages outside the repository.
  root = await mkdtemp(resolve('.cache', 'dev-'));
  for (const part of PARTS) await cp(part, join(root, part), { recursive: true });
  await symlink(resolve('node_modules'), join(root, 'node_modules'));
  database = await createDatabase();
  started = launch({ DATA_DIR: await freshDataDir(), DATABASE_URL: database.url }, ['dev'], root);
  await started.running();
  origin = /http:\/\/localhost:\d+/.exec(started.output())?.[0] ?? '';
}, TIMEOUT);

afterAll(async () => {
  await endLaunches();
  await database.drop();
  await removeDataDirs();
  await rm(root, { recursive: true, force: true });
}, TIMEOUT);

const page = async (path: string) => {
  // Requests fail while the server restarts.
  const response = await fetch(`${origin}${path}`).catch(() => null);
  return { status: response?.status, headers: response?.headers, text: (await response?.text()) ?? '' };
};

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(root, file), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(root, file), text.replaceAll(from, to));
}

test(
  'npm run dev serves the API, and prints how to sign in',
  async () => {
    expect(started.output()).toMatch(/Sign in as \S+ with the password \S+/);
    const [, key = '', url = ''] = /Bearer (\S+)' (\S+)$/m.exec(started.output()) ?? [];
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"services":[{"id":"svc_')]);
  },
  TIMEOUT,
);

// Compiling a page, and a second start, take long.
if (SOAK) {
  test(
    'the browser can open the hot-reload WebSocket, and an edited page is served without a restart',
    async () => {
      expect((await page('/sign-in')).text).toContain('Email address');
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/_next/hmr`, { headers: { origin } });
      await new Promise<void>((resolve, reject) => {
        socket.addEventListener('message', () => resolve(), { once: true });
        socket.addEventListener('error', () => reject(new Error('The WebSocket was refused.')), { once: true });
      });
      socket.close();
      await edit('lib/control-center/messages/en/common.json', 'Email address', 'Changed label');
      const changed = await until(
        () => page('/sign-in'),
        ({ text }) => /<label[^>]*>Changed label/.test(text),
        TIMEOUT,
      );
      expect(changed.text).not.toMatch(/<label[^>]*>Email address/);
      expect(started.output()).not.toContain('Restarting');
    },
    TIMEOUT,
  );

  test(
    'an edit of the edge restarts the server on the same port',
    async () => {
      await edit('lib/http/edge/page.ts', "'Referrer-Policy': 'no-referrer'", "'Referrer-Policy': 'origin'");
      await until(
        () => page('/api/health'),
        ({ headers }) => headers?.get('referrer-policy') === 'origin',
        TIMEOUT,
      );
      expect(started.output()).toContain('The server is running again.');
    },
    TIMEOUT,
  );
}
