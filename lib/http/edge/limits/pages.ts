import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { setImmediate as eventLoop } from 'node:timers/promises';
import { countShed } from '@/lib/activity/metrics/counters';
import { singleton } from '@/lib/platform/singleton';
import { createTurns } from '@/lib/platform/turns';

const IN_FLIGHT = 6;
const IN_FLIGHT_OF_ONE = 3;
/** Milliseconds after which a request ends its turn. It then waits for others, and uses little CPU time. */
const LONGEST = 250;
const MAX_WAITING_OF_ONE = 100;
const MAX_WAITING = 1_000;
const RETRY_AFTER = 1;

/** Benchmarks measure Next.js without these limits. */
const UNLIMITED = process.env.BENCH === '1' ? /^\/api\/bench(?:\/|$)/ : null;

const turns = createTurns(IN_FLIGHT, IN_FLIGHT_OF_ONE);

/**
 * Handles a request outside the partner API. Clients (a session or a network) take turns, so that no flood blocks
 * others. Responds with 503 if too many requests wait.
 */
export async function whenPageMayRun(
  client: string,
  path: string,
  res: ServerResponse,
  run: () => Promise<void>,
): Promise<void> {
  if (UNLIMITED?.test(path)) return run();
  if (turns.waiting(client) >= MAX_WAITING_OF_ONE || turns.waiting() >= MAX_WAITING) return shed(res);
  let endTurn = await takeTurn(client);
  let ended = false;
  const next = async () => {
    endTurn();
    endTurn = await takeTurn(client);
    if (ended) endTurn();
  };
  try {
    if (!res.destroyed) await requests().run(next, run);
  } finally {
    ended = true;
    endTurn();
  }
}

async function takeTurn(client: string): Promise<() => void> {
  const endTurn = await turns.take(client);
  // Lets the event loop read other connections first.
  await eventLoop();
  const timer = setTimeout(endTurn, LONGEST).unref();
  return () => {
    clearTimeout(timer);
    endTurn();
  };
}

const requests = () => singleton('page-requests', () => new AsyncLocalStorage<() => Promise<void>>());

/** Waits for the next turn. A request that does the work of several calls this between them. */
export async function takeNextTurn(): Promise<void> {
  await requests().getStore()?.();
}

function shed(res: ServerResponse): void {
  countShed('page');
  res.writeHead(503, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': RETRY_AFTER,
  });
  res.end('Service Unavailable');
}
