// `npm run dev`: runs the sandbox with its own embedded database and with hot reload.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle, context, type Plugin } from 'esbuild';
import { StartError } from '@/lib/platform/postgres/start-error';
import { banner, localOrigin } from './start/banner';
import { publishedBundle, serverBundle } from './start/build';
import { openDataDir } from './start/data-dir';
import { writeBaseUrl } from './start/database';
import { prepareDatabase } from './start/prepare';
import { openSecrets } from './start/secrets';
import { type Server, startServer } from './start/server';
import { readSettings, refuseTakenPort } from './start/settings';
import { type Run, supervise } from './start/supervise';

/** Inside the repository, so that Node finds `node_modules`. */
const OUTPUT = '.cache';

type Options = { root: string; env: NodeJS.ProcessEnv; run: Run; say: (line: string) => void };

/** Next.js reloads pages and other route handlers itself. If a changed file does not compile, the old server keeps running. */
async function runReloading({ root, env, run, say }: Options): Promise<number> {
  mkdirSync(join(root, OUTPUT), { recursive: true });
  const file = join(OUTPUT, 'server.mjs');
  let server: Server | null = null;
  let port = env.PORT;
  const start = async () => {
    server = await startServer({ root, file, env: { ...env, PORT: port }, signal: run.signal, notice: 0 });
    port = String(server.port);
  };
  const restart = async () => {
    if (run.signal.aborted) return;
    say('Restarting the server …');
    await server?.stop();
    await start();
    say('The server is running again.');
  };
  let working: Promise<void> | null = null;
  const build = (listening: () => void, failed: (error: unknown) => void) => {
    if (working === null) {
      working = start();
      working.then(listening, failed);
      return;
    }
    working = working.then(restart).catch((error: Error) => {
      if (!run.signal.aborted) say(error.message);
    });
  };
  run.onStop(async () => {
    await working?.catch(() => {});
    await server?.stop();
  });
  await new Promise<void>((resolve, reject) => {
    const plugin: Plugin = {
      name: 'restart',
      setup: ({ onEnd }) => onEnd(({ errors }) => (errors.length === 0 ? build(resolve, reject) : undefined)),
    };
    watch(root, plugin, run).catch(reject);
  });
  return Number(port);
}

async function watch(root: string, plugin: Plugin, run: Run): Promise<void> {
  await bundle(publishedBundle(root));
  const bundler = await context({ ...serverBundle(root, OUTPUT), logLevel: 'warning', plugins: [plugin] });
  run.onStop(() => bundler.dispose());
  await bundler.watch();
}

/** A migration that is still being developed never reaches the database of `npm start`. */
const DATA_DIR = '.data/dev';

const say = (line: string) => console.log(line);

async function dev(run: Run): Promise<number> {
  process.env.DATA_DIR ||= DATA_DIR;
  const settings = readSettings();
  if (settings.ENVIRONMENT !== 'TEST') throw new StartError('npm run dev runs a TEST environment only.');
  await refuseTakenPort(settings);
  await openDataDir(settings.DATA_DIR);
  say('Starting for development …');
  const database = await prepareDatabase(settings, openSecrets(settings), run);
  const port = await runReloading({
    root: process.cwd(),
    env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1', PORT: String(settings.PORT) },
    run,
    say,
  });
  const credentials = writeBaseUrl(settings.DATA_DIR, settings.PUBLIC_ORIGIN ?? localOrigin(settings, port));
  say(banner(settings, port, { credentials, setup: null }));
  await database.exited;
  throw new StartError('The database stopped unexpectedly.');
}

await supervise(dev, 0);
