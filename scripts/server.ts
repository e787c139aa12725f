import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import next from 'next';
import type { Edge } from '@/lib/http/edge/exchange';
import { createDrain, listen } from '@/lib/http/edge/lifecycle';
import { maximumBody } from '@/lib/http/edge/limits/size';
import { createEdgeServer, type Upgrade } from '@/lib/http/edge/server';
import { startBackground, stopBackground } from '@/lib/operations/background';
import { redirectConsoleToLog } from '@/lib/platform/console-to-log';
import { closeDb } from '@/lib/platform/db';
import { env, SettingsError, schedulerInUse } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { ROUTES } from './server/routes';

/** Milliseconds from the end of the notice period to the exit, even if something hangs. */
const EXIT_WITHIN = 9_500;

async function main(): Promise<void> {
  const { HOST, PORT, PUBLIC_ORIGIN, TRUSTED_PROXIES, DRAIN_DELAY } = env();
  const notice = DRAIN_DELAY * 1000;
  let drain = async () => {};
  let stopDispatcher = async () => {};
  // Installed first, so that a signal during the start stops everything that has started.
  stopOnSignals(notice + EXIT_WITHIN, async () => {
    log().info('stopping');
    await Promise.all([drain(), stopDispatcher()]);
    await stopBackground();
    await closeDb();
  });
  const dev = process.env.NODE_ENV !== 'production';
  // Next adds its upgrade listener to the server that it is given; this one never listens. Only the WebSocket of the
  // development server is passed to it: any other request with an Upgrade header is an ordinary request.
  const unheard = createServer();
  const dir = fileURLToPath(new URL('..', import.meta.url));
  const app = next({ dev, dir, hostname: 'localhost', port: PORT, httpServer: unheard });
  await app.prepare();
  const inngest = schedulerInUse() === 'inngest';
  const edge: Edge = {
    next: app.getRequestHandler(),
    routes: ROUTES,
    trustedProxies: TRUSTED_PROXIES,
    draining: false,
    maximumBody: (path) => maximumBody(path, inngest),
  };
  const toNext: Upgrade = (req, socket, head) =>
    req.url?.startsWith('/_next/') === true && unheard.emit('upgrade', req, socket, head);
  const server = createEdgeServer(edge, dev ? toNext : undefined);
  drain = createDrain(server, edge, notice);
  startBackground();
  const port = await listen(server, HOST, PORT);
  // With PORT=0 the address is known only now. next-auth reads it from the variable.
  env().origin = PUBLIC_ORIGIN ?? `http://localhost:${port}`;
  process.env.NEXTAUTH_URL = env().origin;
  if (inngest) {
    // Loaded on first use: other deployments do not pay for it.
    const { startDispatcher } = await import('@/inngest/dispatcher');
    stopDispatcher = startDispatcher().stop;
  }
  log().info({ port }, 'listening');
  process.send?.({ type: 'ready', port });
}

/** Calls `stop` once, on the first signal, and exits. */
function stopOnSignals(exitWithin: number, stop: () => Promise<void>): void {
  let stopping = false;
  const begin = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), exitWithin).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log().error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', begin);
  // Ctrl-C or closing the terminal signals the whole process group. A supervised server ignores that signal: its
  // supervisor stops the server first, then the database.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.connected || begin());
  process.on('message', (message) => isStop(message) && begin());
  process.on('disconnect', begin);
}

function isStop(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'stop';
}

// The development server prints for people.
if (process.env.NODE_ENV === 'production') redirectConsoleToLog();

main().catch((error: unknown) => {
  process.stderr.write(`${sentence(error)}\n`);
  process.exit(1);
});

function sentence(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE') return 'The port is in use: stop what uses it, or set PORT to another.';
    if (error.code === 'EACCES') return 'The port is not permitted to this user: set PORT to another.';
  }
  return error instanceof Error ? (error.stack ?? error.message) : 'The server could not start.';
}
