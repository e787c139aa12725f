// `npm run check:clients`: lints the OpenAPI document, generates and type-checks clients, lets each make a booking in a
// new sandbox, and runs the Postman collection. Then builds the packages in clients/ whose languages are installed, and
// books with each. The programs need 460 MB of packages, which only this command installs, in .cache/clients.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { BASE_PATH } from '@/lib/contract/operations';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '../tests/support/launcher';
import { install, isInstalled } from './bootstrap/install.mjs';
import { runQuietly } from './bootstrap/run.mjs';
import { type Run, supervise } from './start/supervise';

type Command = { bin: string; args: string[] };

const DOCUMENT = './generated/openapi.json';

/** Each must exit with code 0 for the OpenAPI document. */
const LINTERS: Record<string, Command> = {
  'Spectral: spectral:oas and the OWASP ruleset': {
    bin: 'spectral',
    args: ['lint', DOCUMENT, '--ruleset', 'spectral.yaml', '--fail-severity', 'hint'],
  },
};

/** By the name of their adapter in tests/clients/adapters. `npm test` runs openapi-typescript and Redocly's ruleset. */
const GENERATORS: Record<string, Command> = {
  'hey-api': { bin: 'openapi-ts', args: ['-i', DOCUMENT, '-o', 'generated/hey-api', '-c', '@hey-api/client-fetch'] },
  orval: { bin: 'orval', args: ['--config', './orval.config.cjs'] },
  oazapfts: { bin: 'oazapfts', args: [DOCUMENT, 'generated/oazapfts/client.ts'] },
  'openapi-zod-client': {
    bin: 'openapi-zod-client',
    args: [DOCUMENT, '-o', 'generated/openapi-zod-client/client.ts'],
  },
  'swagger-typescript-api': {
    bin: 'swagger-typescript-api',
    args: ['generate', '-p', DOCUMENT, '-o', 'generated/swagger-typescript-api', '-n', 'client.ts'],
  },
};

const CLIENTS = join(process.cwd(), '.cache/clients');
const GENERATED = join(CLIENTS, 'generated');

const credentialsFile = z.object({
  base_url: z.string(),
  applications: z.tuple([z.object({ api_key: z.string() })], z.unknown()),
});

async function step(title: string, args: string[], cwd = CLIENTS, env = {}): Promise<boolean> {
  const startedAt = Date.now();
  const { code, output } = await runQuietly(process.execPath, args, { cwd, env: { ...process.env, ...env } });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)${code === 0 ? '' : `\n${output.trim()}`}`);
  for (const [line] of code === 0 ? output.matchAll(/^Not run here: .*(?: needs |not installed).*$/gm) : [])
    console.log(line);
  return code === 0;
}

function packageCommand({ bin, args }: Command): string[] {
  return [join(CLIENTS, 'node_modules/.bin', bin), ...args];
}

async function startSandbox(run: Run): Promise<{ origin: string; key: string }> {
  const dataDir = await freshDataDir();
  run.onStop(async () => {
    await endLaunches();
    await removeDataDirs();
  });
  await launch({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }).running();
  const credentials = credentialsFile.parse(JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')));
  return { origin: new URL(credentials.base_url).origin, key: credentials.applications[0].api_key };
}

async function saveDocument(origin: string): Promise<void> {
  const response = await fetch(`${origin}/docs/openapi.json`, { signal: AbortSignal.timeout(10_000) });
  rmSync(GENERATED, { recursive: true, force: true });
  mkdirSync(GENERATED, { recursive: true });
  writeFileSync(join(GENERATED, 'openapi.json'), await response.text());
}

async function clients(run: Run): Promise<number> {
  cpSync('tests/clients', CLIENTS, { recursive: true });
  const problem = isInstalled(CLIENTS, true) ? null : await install(CLIENTS, console.log, true);
  if (problem) {
    console.error(problem);
    return 1;
  }
  console.log('Starting a sandbox …');
  const { origin, key } = await startSandbox(run);
  await saveDocument(origin);
  const results: boolean[] = [];
  for (const [title, command] of Object.entries(LINTERS)) results.push(await step(title, packageCommand(command)));
  for (const [name, command] of Object.entries(GENERATORS)) {
    mkdirSync(join(GENERATED, name), { recursive: true });
    results.push(await step(`${name} generates a client`, packageCommand(command)));
  }
  results.push(await step('all clients pass the strict type check', packageCommand({ bin: 'tsc', args: ['-p', '.'] })));
  for (const name of Object.keys(GENERATORS)) {
    const args = ['--import', 'tsx', join(CLIENTS, 'journey.ts'), name, origin + BASE_PATH, key];
    results.push(await step(`${name} makes a booking`, args, process.cwd()));
  }
  const collection = ['run', `${origin}/docs/postman.json`, '--env-var', `api_key=${key}`];
  results.push(await step('newman runs the Postman collection', packageCommand({ bin: 'newman', args: collection })));
  await endLaunches();
  const files = ['packages', 'samples', 'client-failures', 'digest', 'receiver'];
  const tests = files.map((name) => `tests/integration/docs/${name}.test.ts`);
  const command = ['scripts/launch.mjs', 'test', 'integration', ...tests];
  const all = { CLIENT_PACKAGES: 'all' };
  results.push(await step('the samples and packages of all languages work', command, process.cwd(), all));
  const calls = ['scripts/launch.mjs', 'test', 'unit', 'tests/unit/docs/calls.test.ts'];
  results.push(await step('the calls in all languages compile', calls, process.cwd(), all));
  return results.every(Boolean) ? 0 : 1;
}

await supervise(clients, 130);
