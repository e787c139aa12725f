import type { ServerResponse } from 'node:http';
import { countShed } from '@/lib/activity/metrics/counters';

/** Requests outside the partner API that Next handles at the same time. Each takes a few milliseconds of CPU. */
const IN_FLIGHT = 6;
/** Milliseconds after which a request no longer counts: it waits for the database, or its client does not read. */
const LONGEST = 2_000;
/** Requests of one client, and of all clients, that wait. */
const MAX_WAITING_OF_ONE = 100;
const MAX_WAITING = 1_000;
/** Seconds until a browser may try again. */
const RETRY_AFTER = 1;

/** Checks of the process itself, which must work while it is overloaded. */
const ALWAYS = /^\/api\/(?:health|metrics)(?:\/|$)/;

const waiting = new Map<string, (() => void)[]>();
let waitingOfAll = 0;
let running = 0;

/**
 * Starts to handle a request outside the partner API when its turn comes. Clients take turns, so that a flood from one
 * does not keep others out; with too many waiting requests, further ones get a 503.
 * @param client the cookies of a session, or the address.
 */
export function whenPageMayRun(
  client: string,
  path: string,
  res: ServerResponse,
  run: () => Promise<void>,
): Promise<void> {
  if (ALWAYS.test(path)) return run();
  return new Promise((resolve, reject) => {
    takeTurn(client, res, () => run().then(resolve, reject));
  });
}

function takeTurn(client: string, res: ServerResponse, run: () => Promise<void>): void {
  const start = () => {
    if (res.destroyed) {
      passOn();
      return;
    }
    const end = once(() => {
      clearTimeout(timer);
      passOn();
    });
    const timer = setTimeout(end, LONGEST);
    timer.unref();
    res.once('close', end);
    void run().then(end);
  };
  const own = waiting.get(client) ?? [];
  if (running < IN_FLIGHT) {
    running++;
    start();
  } else if (own.length >= MAX_WAITING_OF_ONE || waitingOfAll >= MAX_WAITING) {
    shed(res);
  } else {
    own.push(start);
    waiting.set(client, own);
    waitingOfAll++;
  }
}

/** Gives the turn of a request that has ended to the next client. */
function passOn(): void {
  // A Map keeps the order of insertion: a client that had its turn goes to the end.
  for (const [client, own] of waiting) {
    const start = own.shift();
    waiting.delete(client);
    if (own.length > 0) waiting.set(client, own);
    if (!start) continue;
    waitingOfAll--;
    // Between two pages, the event loop reads other connections.
    setImmediate(start);
    return;
  }
  running--;
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

function once(callback: () => void): () => void {
  let called = false;
  return () => {
    if (called) return;
    called = true;
    callback();
  };
}
