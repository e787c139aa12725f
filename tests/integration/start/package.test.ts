import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runImageSteps } from '@/tests/support/image-steps';
import {
  endLaunches,
  freshDataDir,
  type Launch,
  launch,
  launchReadOnly,
  removeDataDirs,
} from '@/tests/support/launcher';
import { ownDatabase } from '@/tests/support/own-database';
import { hasProgram } from '@/tests/support/programs';
import { TEST_SECRET as SECRET_KEY } from '@/tests/support/server';
import { repeats } from '@/tests/support/soak';

/** Timeout in milliseconds of a build and of several starts on a busy machine. */
const TIMEOUT = 900_000;

/** Maximum size in MB of the folder that `npm run package` writes, including the embedded PostgreSQL. */
const MAX_SIZE = 350;

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
});

async function refusal(...args: string[]): Promise<string> {
  const launched = launch({}, ['package', ...args]);
  expect(await launched.ended()).toBe(1);
  return launched.output().trim();
}

test('requires one new folder', async () => {
  expect(await refusal()).toBe('Specify a folder: npm run package -- FOLDER');
  expect(await refusal('docs')).toBe(`${resolve('docs')} is not empty. Specify an empty or new folder.`);
});

/** Returns the path and the modification time of each file and folder in a folder. */
async function contentOf(folder: string): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true });
  return await Promise.all(paths.map(async (path) => `${path} ${(await stat(join(folder, path))).mtimeMs}`));
}

async function sizeOf(folder: string): Promise<number> {
  const paths = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(paths.map(async (path) => (await stat(join(folder, path))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}

/** Requests the partner API, the Inngest handler, and pages whose content is in files. Returns the statuses. */
async function statuses(started: Launch): Promise<number[]> {
  await started.running();
  const [, key = '', url = ''] = /^curl -s -H 'Authorization: Bearer (\S+)' (\S+)$/m.exec(started.output()) ?? [];
  const paths = ['/api/health', '/sign-in', '/docs', '/docs/contract', '/docs/client.ts', '/docs/conformance.mjs'];
  const urls = [url, ...[...paths, '/docs/openapi.json', '/api/inngest'].map((path) => new URL(path, url).href)];
  return await Promise.all(
    urls.map(async (one) => (await fetch(one, { headers: { authorization: `Bearer ${key}` } })).status),
  );
}

// These tests run only with `npm run test:soak`, because they build the pages in a copy of the repository, which is
// slow.
for (const _ of Array.from({ length: repeats(0, 1) })) {
  describe('the folder that the steps of the image write', () => {
    let sources = '';
    let folder = '';

    beforeAll(async () => {
      await mkdir('.cache', { recursive: true });
      sources = await mkdtemp(resolve('.cache', 'image-'));
      const target = join(await freshDataDir(), 'srv');
      await runImageSteps(sources, target);
      await rm(sources, { recursive: true });
      folder = join(target, 'booking');
    }, TIMEOUT);

    afterAll(async () => {
      await rm(sources, { recursive: true, force: true });
    });

    test(`is at most ${MAX_SIZE} MB`, async () => {
      expect(await sizeOf(folder)).toBeLessThan(MAX_SIZE);
      const names = ['sbom.cdx.json', 'provenance.json', 'THIRD-PARTY-LICENSES.txt'];
      expect(await readdir(folder)).toEqual(expect.arrayContaining(names));
    });

    if (hasProgram('sha256sum', 1, 'the check of the packaged folder'))
      test('has the checksums of its files', async () => {
        const check = promisify(execFile)('sha256sum', ['--check', '--quiet', 'files.sha256'], { cwd: folder });
        expect(await check).toMatchObject({ stdout: '' });
      });

    test('runs a server with the embedded PostgreSQL and changes nothing in the folder', {
      timeout: TIMEOUT,
    }, async () => {
      const before = await contentOf(folder);
      const settings = { DATA_DIR: await freshDataDir(), INNGEST_DEV: 'http://127.0.0.1:1', WORKERS: '2' };
      expect(await statuses(launch(settings, ['start'], folder))).toEqual(Array.from({ length: 9 }, () => 200));
      const backup = launch(settings, ['backup', join(settings.DATA_DIR, 'backup')], folder);
      expect(await backup.ended()).toBe(0);
      await endLaunches();
      expect(await contentOf(folder)).toEqual(before);
    });

    test('migrates and runs with a read-only file system', { timeout: TIMEOUT }, async () => {
      const database = await ownDatabase();
      try {
        const DATA_DIR = await freshDataDir();
        await mkdir(DATA_DIR);
        const settings = { DATA_DIR, DATABASE_URL: database.url, SECRET_KEY, INNGEST_DEV: 'http://127.0.0.1:1' };
        expect(await launch(settings, ['migrate'], folder).ended()).toBe(0);
        const started = await launchReadOnly(settings, folder);
        expect(await statuses(started)).toEqual(Array.from({ length: 9 }, () => 200));
        await endLaunches();
      } finally {
        await database.drop();
      }
    });
  });
}
