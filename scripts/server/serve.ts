import { createServer } from 'node:http';
import next from 'next';
import { setImportThread } from '@/lib/booking/catalog/transfer/thread';
import type { Edge } from '@/lib/http/edge/exchange';
import { createDrain, listen } from '@/lib/http/edge/lifecycle';
import { createEdgeServer, type Upgrade } from '@/lib/http/edge/server';
import { startBackground, stopBackground } from '@/lib/operations/background';
import { untilSecretsKnown } from '@/lib/operations/environment/secret-state';
import { untilFresh } from '@/lib/platform/cache/changes';
import { isScheduler, isWorker } from '@/lib/platform/cluster';
import { closeDb, pool } from '@/lib/platform/db';
import { env, schedulerInUse } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { watchRulesInForce } from '@/lib/platform/rules-in-force';
import { setExporter } from '@/lib/platform/tracing/tracing';
import { importInThread } from './imports';
import { OPERATOR_ROUTES, ROUTES } from './routes';
import { stopOnSignals } from './signals';

/** Maximum milliseconds from the end of DRAIN_DELAY until the process exits, even if something hangs. */
const EXIT_WITHIN = 9_300;
/** Maximum milliseconds that a start waits for the state of the secrets (see `readSecretState`). */
const SECRETS_WITHIN = 10_000;
/** Maximum milliseconds that a worker waits for its first poll before it accepts requests. */
const FRESH_WITHIN = 3_000;

/**
 * Starts the export of traces if there is a collector. Must run before the database pool is created, because a pool
 * that already exists does not record its statements.
 */
async function startTracing(): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, ENVIRONMENT } = env();
  if (!OTEL_EXPORTER_OTLP_ENDPOINT) return async () => {};
  // Imported dynamically, because only deployments with a collector need these packages.
  const { createExporter } = await import('@/lib/platform/tracing/opentelemetry');
  const exporter = createExporter(ENVIRONMENT);
  setExporter(exporter);
  return exporter.stop;
}

/** Serves requests in this process. It is either the only process of the server or one of several workers. */
export async function serve(): Promise<void> {
  const { HOST, PORT, PUBLIC_ORIGIN, TRUSTED_PROXIES, DRAIN_DELAY } = env();
  const notice = DRAIN_DELAY * 1000;
  let drain = async (_announced: boolean) => {};
  let stopDispatcher = async () => {};
  const stopTracing = await startTracing();
  // The signal handlers are installed first so that a signal during the start stops everything that has already
  // started.
  stopOnSignals(notice + EXIT_WITHIN, async (kind, enter) => {
    log().info('stopping');
    enter('requests');
    await Promise.all([drain(kind === 'stop'), stopDispatcher()]);
    enter('background');
    await stopBackground();
    enter('tracing');
    await stopTracing();
    enter('database');
    await closeDb();
  });
  // Without a handler, SIGUSR2 would end this process. If there are several workers, the primary process handles
  // SIGUSR2.
  process.on('SIGUSR2', () => log().warn('there are no workers to restart'));
  const dev = process.env.NODE_ENV !== 'production';
  // Next handles each `upgrade` event of its `httpServer`. `unheard` never listens, so its only such events are those
  // that `toNext` emits, for the WebSocket connections of hot reload. All other requests with an Upgrade header are
  // handled as if they had none.
  const unheard = createServer();
  const app = next({ dev, dir: process.cwd(), hostname: 'localhost', port: PORT, httpServer: unheard });
  await app.prepare();
  const inngest = schedulerInUse() === 'inngest';
  const edge: Edge = {
    next: app.getRequestHandler(),
    routes: ROUTES,
    operatorRoutes: OPERATOR_ROUTES,
    trustedProxies: TRUSTED_PROXIES,
    inngest,
    draining: false,
  };
  const toNext: Upgrade = (req, socket, head) =>
    req.url?.startsWith('/_next/') === true && unheard.emit('upgrade', req, socket, head);
  const server = createEdgeServer(edge, dev ? toNext : undefined);
  drain = createDrain(server, edge, notice);
  startBackground();
  setImportThread(importInThread);
  // A process receives requests as soon as it listens. It therefore first reads from the database with which keys it
  // must hash and encrypt values. A worker also waits for its first poll: until then, its health checks fail.
  // If the database is unavailable, the process listens after SECRETS_WITHIN and FRESH_WITHIN anyway.
  await untilSecretsKnown(SECRETS_WITHIN);
  // Without a database, nothing can be sold. The rules are then read with the first poll.
  await watchRulesInForce(pool()).catch(() => undefined);
  if (isWorker()) await untilFresh(FRESH_WITHIN);
  const port = await listen(server, HOST, PORT);
  // With PORT=0, the origin is known only now. next-auth reads NEXTAUTH_URL.
  env().origin = PUBLIC_ORIGIN ?? `http://localhost:${port}`;
  process.env.NEXTAUTH_URL = env().origin;
  if (inngest && isScheduler()) {
    // Only deployments with Inngest need this module.
    const { startDispatcher } = await import('@/inngest/dispatcher');
    stopDispatcher = startDispatcher().stop;
  }
  log().info({ port }, 'listening');
  process.send?.({ type: 'ready', port });
}
