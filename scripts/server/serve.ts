import { createServer } from 'node:http';
import next from 'next';
import type { Edge } from '@/lib/http/edge/exchange';
import { createDrain, listen } from '@/lib/http/edge/lifecycle';
import { maximumBody } from '@/lib/http/edge/limits/size';
import { createEdgeServer, type Upgrade } from '@/lib/http/edge/server';
import { startBackground, stopBackground } from '@/lib/operations/background';
import { untilSecretsKnown } from '@/lib/operations/environment/secret-state';
import { untilFresh } from '@/lib/platform/cache/listener';
import { isScheduler, isWorker } from '@/lib/platform/cluster';
import { closeDb } from '@/lib/platform/db';
import { env, schedulerInUse } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { ROUTES } from './routes';
import { stopOnSignals } from './signals';

/**
 * Maximum milliseconds from the end of the notice period (DRAIN_DELAY) until the process exits, even if something
 * hangs.
 */
const EXIT_WITHIN = 9_300;
/** Maximum time in milliseconds that a start waits for the state of the secrets (see `readSecretState`). */
const SECRETS_WITHIN = 10_000;
/** Maximum time in milliseconds that a new worker waits for its LISTEN connection to the database. */
const FRESH_WITHIN = 3_000;

/** Serves requests in this process, which is the only process of the server or one of its workers. */
export async function serve(): Promise<void> {
  const { HOST, PORT, PUBLIC_ORIGIN, TRUSTED_PROXIES, DRAIN_DELAY } = env();
  const notice = DRAIN_DELAY * 1000;
  let drain = async (_announced: boolean) => {};
  let stopDispatcher = async () => {};
  // The signal handlers are installed first so that a signal during the start stops everything that has already
  // started.
  stopOnSignals(notice + EXIT_WITHIN, async (kind) => {
    log().info('stopping');
    await Promise.all([drain(kind === 'stop'), stopDispatcher()]);
    await stopBackground();
    await closeDb();
  });
  // Without a handler, SIGUSR2 would end this process. In a server with several workers, the primary process handles
  // the signal.
  process.on('SIGUSR2', () => log().warn('there are no workers to restart'));
  const dev = process.env.NODE_ENV !== 'production';
  // Next adds its handler for WebSocket upgrades to the server in its option `httpServer`. `unheard` is a server that
  // never listens on a port, so the handler gets only the upgrades that `toNext` emits on `unheard`. These are the
  // WebSocket connections for hot reload during development. The edge treats every other request with an Upgrade header
  // as an ordinary request.
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
  // A process receives requests as soon as it listens on the port. Before that, it waits for the state of the secrets,
  // which contains the keys with which the hashes in the database are computed. A worker also waits for its LISTEN
  // connection to the database, because health checks would fail without it. If the database is unavailable, the
  // process stops waiting after SECRETS_WITHIN and FRESH_WITHIN, and listens anyway.
  await untilSecretsKnown(SECRETS_WITHIN);
  if (isWorker()) await untilFresh(FRESH_WITHIN);
  const port = await listen(server, HOST, PORT);
  // With PORT=0, the origin is known only after the server listens. next-auth reads the origin from NEXTAUTH_URL.
  env().origin = PUBLIC_ORIGIN ?? `http://localhost:${port}`;
  process.env.NEXTAUTH_URL = env().origin;
  if (inngest && isScheduler()) {
    // Imported dynamically, because only deployments with Inngest need this module.
    const { startDispatcher } = await import('@/inngest/dispatcher');
    stopDispatcher = startDispatcher().stop;
  }
  log().info({ port }, 'listening');
  process.send?.({ type: 'ready', port });
}
