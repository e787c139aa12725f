// `npm run check:clients`: lints the OpenAPI document, generates and type-checks a client with every generator in
// tests/clients, lets each client make a booking in a new sandbox, and runs the Postman collection. The programs that
// do this need 460 MB of packages. Only this command installs these packages. It copies tests/clients to
// .cache/clients, installs the packages in the copy, and runs the programs there.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { BASE_PATH } from '@/lib/contract/operations';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '../tests/support/launcher';
import { install, isInstalled } from './bootstrap/install.mjs';
import { runQuietly } from './bootstrap/run.mjs';
import { type Command, GENERATORS, LINTERS } from './clients/tools';
import { type Run, supervise } from './start/supervise';

const CLIENTS = join(process.cwd(), '.cache/clients');
const GENERATED = join(CLIENTS, 'generated');

const credentialsFile = z.object({
  base_url: z.string(),
  applications: z.tuple([z.object({ api_key: z.string() })], z.unknown()),
});

/** Runs a step and prints whether it passed. If it failed, also prints its output. Returns whether it passed. */
async function step(title: string, args: string[], cwd = CLIENTS): Promise<boolean> {
  const startedAt = Date.now();
  const { code, output } = await runQuietly(process.execPath, args, { cwd });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)${code === 0 ? '' : `\n${output.trim()}`}`);
  return code === 0;
}

/** Returns the Node arguments for a command in `node_modules/.bin`. */
function packageCommand({ bin, args }: Command): string[] {
  return [join(CLIENTS, 'node_modules/.bin', bin), ...args];
}

/** Starts a new sandbox. Returns its origin and an API key. */
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
  return results.every(Boolean) ? 0 : 1;
}

await supervise(clients, 130);
