import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { npmCommand } from '@/scripts/bootstrap/install.mjs';
import { buildPackage, type ClientPackage, clientPackages, missingTool, runTool } from '@/scripts/client/packages';
import { makeBusiness } from '@/tests/support/factories';
import { recordNotRun } from '@/tests/support/programs';
import { sharedServer } from '@/tests/support/shared';
import { ROOT } from './blocks';

const TIMEOUT = 180_000;
const VECTORS = join(ROOT, 'docs/partner/webhook-vectors.json');
const MODULE = 'example.com/partner-booking-api/clients/go';

type Command = readonly string[];

/** How a partner installs a package: the program of the test, and the commands that install and run it. */
type Use = {
  main: string;
  files?: (built: string) => Record<string, string>;
  install: (built: string) => readonly Command[];
  run: (built: string) => Command;
  env?: Record<string, string>;
};

const USES: Record<string, Use> = {
  npm: {
    main: 'journey.mjs',
    files: () => ({ 'package.json': '{ "type": "module" }' }),
    install: (built) => [[...npmCommand(), 'install', '--offline', '--no-audit', '--no-fund', '--silent', built]],
    run: () => [process.execPath, 'journey.mjs', VECTORS],
  },
  python: {
    main: 'journey.py',
    install: (built) => [['python3', '-m', 'zipfile', '-e', built, 'site']],
    run: () => ['python3', '-B', 'journey.py', VECTORS],
    env: { PYTHONPATH: 'site' },
  },
  php: {
    main: 'journey.php',
    files: (url) => ({
      'composer.json': JSON.stringify({
        repositories: [{ type: 'path', url, options: { symlink: false } }, { 'packagist.org': false }],
        require: { 'partner-booking/client': '*' },
      }),
    }),
    install: () => [['composer', 'install', '--no-interaction', '--no-plugins', '--quiet']],
    run: () => ['php', 'journey.php', VECTORS],
  },
  go: {
    main: 'journey.go',
    files: (built) => ({
      'go.mod': `module partner\n\ngo 1.19\n\nrequire ${MODULE} v0.0.0\n\nreplace ${MODULE} => ${built}\n`,
    }),
    install: () => [['go', 'build', '-o', 'journey', '.']],
    run: () => ['./journey', VECTORS],
  },
  java: {
    main: 'Journey.java',
    install: (built) => [['javac', '-cp', built, 'Journey.java']],
    run: (built) => ['java', '-cp', `${built}:.`, 'Journey', VECTORS],
  },
  csharp: {
    main: 'Journey.cs',
    install: (built) => [
      ['cp', built, 'PartnerBooking.dll'],
      ['mcs', '-langversion:7.2', '-r:PartnerBooking.dll', '-out:journey.exe', 'Journey.cs'],
    ],
    run: () => ['mono', 'journey.exe', VECTORS],
  },
};

/** What the program of every language prints. */
const EXPECTED = `me TEST
next true
created confirmed 1
repeated true
lost confirmed
taken 409 booking_unavailable slot_taken
moved 2
conflict 409 booking_version_conflict
cancelled 3
redirect 307 redirected
digest 2 true
events 4
webhook true false
`;

/** Starts a server that redirects every request to the API. */
async function redirecting() {
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(307, { location: `${sharedServer().origin}${url}` }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** Installs the built package in a new directory, and runs the program there. Returns its output. */
async function journey({ folder }: ClientPackage, built: string, directory: string): Promise<string> {
  const use = USES[folder] as Use;
  const { key } = await makeBusiness();
  const moved = await redirecting();
  try {
    await copyFile(join(ROOT, 'tests/integration/docs/journeys', use.main), join(directory, use.main));
    for (const [name, text] of Object.entries(use.files?.(built) ?? {})) await writeFile(join(directory, name), text);
    for (const command of use.install(built)) await runTool(command, directory);
    const api = { API: sharedServer().origin + BASE_PATH, API_KEY: key, MOVED: moved.origin + BASE_PATH };
    return await runTool(use.run(built), directory, { ...api, ...use.env });
  } finally {
    moved.stop();
  }
}

const PACKAGES = await clientPackages();

/** Building those takes other languages, and too long for each run. */
const ALWAYS = new Set(['npm', 'python']);
const isAsked = process.env.CLIENT_PACKAGES === 'all';

for (const one of PACKAGES) {
  if (!isAsked && !ALWAYS.has(one.folder)) {
    recordNotRun(1, `the package for ${one.name} is tested by npm run check:clients`);
    continue;
  }
  const missing = await missingTool(one);
  if (missing) {
    recordNotRun(1, `the package for ${one.name} needs ${missing}`);
    continue;
  }
  test(
    `the package for ${one.name} is built, installed, and books`,
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'package-'));
      try {
        const built = await buildPackage(one, join(directory, 'built'));
        const consumer = join(directory, 'consumer');
        await mkdir(consumer);
        expect(await journey(one, built, consumer)).toBe(EXPECTED);
        if (one.folder === 'npm') await expectTypes(consumer);
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
    TIMEOUT,
  );
}

/** The package for npm has types for every setting of the compiler, and declares what it throws. */
async function expectTypes(consumer: string): Promise<void> {
  await writeFile(
    join(consumer, 'types.ts'),
    `import { type Booking, partnerClient } from 'partner-booking';
export const read = (): Promise<{ booking: Booking }> => partnerClient({ baseUrl: '', apiKey: '' }).readBooking('pbr_1');
// @ts-expect-error: a create needs an idempotency key
export const wrong = () => partnerClient({ baseUrl: '', apiKey: '' }).createBooking({} as never);
`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
  await runTool(['tsc', ...options, 'types.ts'], consumer);
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const installed = join(consumer, 'node_modules/partner-booking');
  expect(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))).toMatchObject({ version });
  for (const name of ['LICENSE', 'README.md', 'src/client.ts', 'dist/client.d.ts'])
    expect(await readFile(join(installed, name), 'utf8'), name).not.toBe('');
}
