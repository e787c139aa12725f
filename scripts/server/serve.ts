import { createServer } from 'node:http';
import next from 'next';
import type { Edge } from '@/lib/http/edge/exchange';
import { createDrain, listen } from '@/lib/http/edge/lifecycle';
import { maximumBody } from '@/lib/http/edge/limits/size';
import { createEdgeServer, type Upgrade } from '@/lib/http/edge/server';
import { startBackground, stopBackground } from '@/lib/operations/background';
import { untilFresh } from '@/lib/platform/cache/listener';
import { isScheduler, isWorker } from '@/lib/platform/cluster';
import { closeDb } from '@/lib/platform/db';
import { env, schedulerInUse } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { ROUTES } from './routes';
import { stopOnSignals } from './signals';

/** Milliseconds from the end of the notice period to the exit, even if something hangs. */
const EXIT_WITHIN = 9_500;
/** Milliseconds that a new worker waits for its listening connection. */
const FRESH_WITHIN = 3_000;

/** Serves requests in this process: the only one of the server, or one of its workers. */
export async function serve(): Promise<void> {
  const { HOST, PORT, PUBLIC_ORIGIN, TRUSTED_PROXIES, DRAIN_DELAY } = env();
  const notice = DRAIN_DELAY * 1000;
  let drain = async (_announced: boolean) => {};
  let stopDispatcher = async () => {};
  // Installed first, so that a signal during the start stops everything that has started.
  stopOnSignals(notice + EXIT_WITHIN, async (kind) => {
    log().info('stopping');
    await Promise.all([drain(kind === 'stop'), stopDispatcher()]);
    await stopBackground();
    await closeDb();
  });
  // Only a server with several workers can replace them. By default, the signal would end this process.
  process.on('SIGUSR2', () => log().warn('there are no workers to restart'));
  const dev = process.env.NODE_ENV !== 'production';
  // Next adds its upgrade listener to the server that it is given; this one never listens. Only the WebSocket of the
  // development server is passed to it: any other request with an Upgrade header is an ordinary request.
  const unheard = createServer();
  const app = next({ dev, dir: process.cwd(), hostname: 'localhost', port: PORT, httpServer: unheard });
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
  // A worker gets requests, and health checks, as soon as it listens. Without a database it listens later.
  if (isWorker()) await untilFresh(FRESH_WITHIN);
  const port = await listen(server, HOST, PORT);
  // With PORT=0 the address is known only now. next-auth reads it from the variable.
  env().origin = PUBLIC_ORIGIN ?? `http://localhost:${port}`;
  process.env.NEXTAUTH_URL = env().origin;
  if (inngest && isScheduler()) {
    // Loaded on first use: other deployments do not pay for it.
    const { startDispatcher } = await import('@/inngest/dispatcher');
    stopDispatcher = startDispatcher().stop;
  }
  log().info({ port }, 'listening');
  process.send?.({ type: 'ready', port });
}
