import type { ServerResponse } from 'node:http';
import { countShed } from '@/lib/activity/metrics/counters';

/**
 * Maximum number of requests outside the partner API that Next.js handles at the same time. Each request takes a few
 * milliseconds of CPU time.
 */
const IN_FLIGHT = 6;
/**
 * Number of milliseconds after which a request no longer counts toward `IN_FLIGHT`. A request that takes this long uses
 * little CPU time, because it waits for the database or for a client that does not read its response.
 */
const LONGEST = 2_000;
/**
 * Replaces `LONGEST` for requests from Inngest. Such a request uses CPU time only at the beginning. After that, it
 * waits up to 15 seconds for the response of a webhook receiver.
 */
const LONGEST_OF_INNGEST = 100;
/**
 * Maximum number of waiting requests of one client (`MAX_WAITING_OF_ONE`), and of all clients together (`MAX_WAITING`).
 */
const MAX_WAITING_OF_ONE = 100;
const MAX_WAITING = 1_000;
/** The value of the Retry-After header in seconds. */
const RETRY_AFTER = 1;

/** Matches the paths of the health check and the metrics, which must work even while the process is overloaded. */
const ALWAYS = /^\/api\/(?:health|metrics)(?:\/|$)/;

const waiting = new Map<string, (() => void)[]>();
let waitingOfAll = 0;
let running = 0;

/**
 * Handles a request outside the partner API as soon as it is its client's turn. The clients take turns, so that a flood
 * of requests from one client does not block other clients. If too many requests are waiting, the request gets a 503.
 * @param client a text that identifies the client: a signed-in session or a network.
 */
export function whenPageMayRun(
  client: string,
  path: string,
  res: ServerResponse,
  run: () => Promise<void>,
): Promise<void> {
  if (ALWAYS.test(path)) return run();
  const longest = path === '/api/inngest' ? LONGEST_OF_INNGEST : LONGEST;
  return new Promise((resolve, reject) => {
    takeTurn(client, res, longest, () => run().then(resolve, reject));
  });
}

function takeTurn(client: string, res: ServerResponse, longest: number, run: () => Promise<void>): void {
  const start = () => {
    if (res.destroyed) {
      passOn();
      return;
    }
    const end = once(() => {
      clearTimeout(timer);
      passOn();
    });
    const timer = setTimeout(end, longest);
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

/** Starts the first waiting request of the client whose turn is next. Called when a running request has ended. */
function passOn(): void {
  // A Map iterates in insertion order. The entry of a client is deleted and set again, which moves the client to the
  // end of the order.
  for (const [client, own] of waiting) {
    const start = own.shift();
    waiting.delete(client);
    if (own.length > 0) waiting.set(client, own);
    if (!start) continue;
    waitingOfAll--;
    // With `setImmediate`, the event loop can read other connections before the next request starts.
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
