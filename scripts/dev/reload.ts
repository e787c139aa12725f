import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle, context, type Plugin } from 'esbuild';
import { conformanceBundle, serverBundle } from '../start/build';
import { type Server, startServer } from '../start/server';
import type { Run } from '../start/supervise';

/**
 * The directory of the bundled development server. It is inside the repository, so that Node finds `node_modules`.
 */
const OUTPUT = '.cache';

type Options = { root: string; env: NodeJS.ProcessEnv; run: Run; say: (line: string) => void };

/**
 * Runs the development server. When a file in the server's bundle changes, restarts the server on the same port. The
 * bundle contains the HTTP server (`scripts/server`, `lib/http/edge`), the partner API's route handlers, and everything
 * they import. Next.js reloads pages and all other route handlers itself. If a changed file does not compile, the old
 * server keeps running.
 * @returns the port. Resolves once the server is listening.
 */
export async function runReloading({ root, env, run, say }: Options): Promise<number> {
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
  await bundle(conformanceBundle(root));
  const bundler = await context({ ...serverBundle(root, OUTPUT), logLevel: 'warning', plugins: [plugin] });
  run.onStop(() => bundler.dispose());
  await bundler.watch();
}
