import { createServer } from 'node:http';
import { setImportThread } from '@/lib/booking/catalog/transfer/thread';
import type { Edge } from '@/lib/http/edge/exchange';
import { createDrain, listen } from '@/lib/http/edge/lifecycle';
import { createEdgeServer, type Upgrade } from '@/lib/http/edge/server';
import { startBackground, stopBackground } from '@/lib/operations/background';
import { untilSecretsKnown } from '@/lib/operations/environment/secret-state';
import { untilFresh } from '@/lib/platform/cache';
import { isScheduler, isWorker } from '@/lib/platform/cluster';
import { closeDb, pool } from '@/lib/platform/db';
import { env, schedulerInUse } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { release } from '@/lib/platform/release';
import { watchRulesInForce } from '@/lib/platform/rules-in-force';
import { setExporter } from '@/lib/platform/tracing/tracing';
import { importInThread } from './imports';
import { OPERATOR_ROUTES, ROUTES } from './routes';
import { stopOnSignals } from './signals';

/** Milliseconds from the end of DRAIN_DELAY until the process exits, even if something hangs. */
const EXIT_WITHIN = 9_300;
/** Milliseconds that a start waits for the state of the secrets. */
const SECRETS_WITHIN = 10_000;
/** Milliseconds that a worker waits for its first poll. */
const FRESH_WITHIN = 3_000;

/** Before the database pool is created, because an existing pool does not record its statements. */
async function startTracing(): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, ENVIRONMENT } = env();
  if (!OTEL_EXPORTER_OTLP_ENDPOINT) return async () => {};
  // Only deployments with a collector need these packages.
  const { createExporter } = await import('@/lib/platform/tracing/opentelemetry');
  const exporter = createExporter(ENVIRONMENT);
  setExporter(exporter);
  return exporter.stop;
}

type Pages = { handle: Edge['next']; upgrade: Upgrade; load: () => Promise<unknown> };

/**
 * Returns the handlers of Next.js, which only pages need. It is loaded by `load` or the first request. Loading takes
 * half a second of processor time.
 */
function createPages(dev: boolean, port: number): Pages {
  // Next handles each `upgrade` event of its `httpServer`. `unheard` never listens, so its only such events are those
  // that `upgrade` emits for hot reload.
  const unheard = createServer();
  let loading: Promise<Edge['next']> | null = null;
  const load = () => {
    loading ??= loadNext();
    return loading;
  };
  const loadNext = async (): Promise<Edge['next']> => {
    const { default: next } = await import('next');
    const app = next({ dev, dir: process.cwd(), hostname: 'localhost', port, httpServer: unheard });
    await app.prepare();
    return app.getRequestHandler();
  };
  return {
    handle: async (req, res) => (await load())(req, res),
    upgrade: (req, socket, head) =>
      req.url?.startsWith('/_next/') === true && unheard.emit('upgrade', req, socket, head),
    load,
  };
}

/** Serves requests in this process: the only one of the server, or one of several workers. */
export async function serve(): Promise<void> {
  const { ENVIRONMENT, HOST, PORT, PUBLIC_ORIGIN, TRUSTED_PROXIES, DRAIN_DELAY } = env();
  const notice = DRAIN_DELAY * 1000;
  let drain = async (_announced: boolean) => {};
  let stopDispatcher = async () => {};
  const stopTracing = await startTracing();
  // A signal during the start stops everything that has already started.
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
  // Without a handler, SIGUSR2 would end this process. With several workers, the primary handles it.
  process.on('SIGUSR2', () => log().warn('there are no workers to restart'));
  const dev = process.env.NODE_ENV !== 'production';
  const pages = createPages(dev, PORT);
  // In LIVE, no partner waits while the first page loads Next. Hot reload needs it before the first page.
  if (dev || ENVIRONMENT === 'LIVE') await pages.load();
  const inngest = schedulerInUse() === 'inngest';
  const edge: Edge = {
    next: pages.handle,
    routes: ROUTES,
    operatorRoutes: OPERATOR_ROUTES,
    trustedProxies: TRUSTED_PROXIES,
    inngest,
    draining: false,
  };
  const server = createEdgeServer(edge, dev ? pages.upgrade : undefined);
  drain = createDrain(server, edge, notice);
  startBackground();
  setImportThread(importInThread);
  // A process receives requests as soon as it listens, so it first reads its keys. A worker also waits for its first
  // poll: until then, its health checks fail. Without a database, the process listens anyway.
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
  log().info({ port, ...release() }, 'listening');
  process.send?.({ type: 'ready', port });
}
