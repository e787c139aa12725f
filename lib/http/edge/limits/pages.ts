import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { countShed } from '@/lib/activity/metrics/counters';
import { createTurns } from '@/lib/platform/turns';

/**
 * Maximum number of requests outside the partner API that Next.js handles at the same time. The limit applies
 * separately to requests from anonymous clients and to all other requests. Each request takes a few milliseconds of CPU
 * time.
 */
const IN_FLIGHT = 6;
/**
 * A second limit for requests from anonymous clients: of those that Next.js is handling, at most `most` can be younger
 * than `age` milliseconds. If more young requests ran at the same time, they would often continue in the same turn of
 * the event loop, which would delay partner requests.
 */
const ANONYMOUS = { most: 1, age: 100 };
/**
 * Maximum pause in milliseconds after a request from an anonymous client. Up to this maximum, the pause is as long as
 * the request took, so that a flood of such requests uses about half of the CPU time.
 */
const PAUSE = 5;
/**
 * Number of milliseconds after which a running request no longer counts toward any of the limits in this file. A
 * request that takes this long uses little CPU time, because it is waiting for the database or for a client that does
 * not read its response.
 */
const LONGEST = 2_000;
/**
 * Replaces `LONGEST` for requests from Inngest. Such a request uses CPU time only at the beginning. After that, it
 * waits up to 15 seconds for the response of a webhook receiver.
 */
const LONGEST_OF_INNGEST = 100;
/**
 * Maximum number of requests that are waiting or being handled, for one client (`MAX_OF_ONE`) and for all clients
 * together (`MAX_OF_ALL`).
 */
const MAX_OF_ONE = 106;
const MAX_OF_ALL = 1_000;
/** The value of the Retry-After header in seconds. */
const RETRY_AFTER = 1;

/**
 * Matches the paths of the health check and the metrics, which must work even while the process is overloaded. In
 * benchmarks, it also matches the bare route under `/api/bench`, which measures the speed of Next.js without these
 * limits.
 */
const ALWAYS =
  process.env.BENCH === '1' ? /^\/api\/(?:health|metrics|bench)(?:\/|$)/ : /^\/api\/(?:health|metrics)(?:\/|$)/;

const turns = { anonymous: createTurns(IN_FLIGHT, ANONYMOUS), other: createTurns(IN_FLIGHT) };
const ofClient = new Map<string, number>();
let ofAll = 0;

/**
 * The client of a request outside the partner API. The field `id` identifies a signed-in session or a network. The
 * field `anonymous` is false for signed-in sessions, for attempts to gain access (see `isAttempt`), and for Inngest.
 * Attempts to gain access and requests from Inngest mostly wait, so they use little CPU time.
 */
export type PageClient = { id: string; anonymous: boolean };

/**
 * Handles a request outside the partner API as soon as it is its client's turn. The clients take turns, so that a flood
 * of requests from one client does not block other clients. If this client or all clients together have too many
 * requests, the response is a 503.
 */
export async function whenPageMayRun(
  client: PageClient,
  path: string,
  res: ServerResponse,
  run: () => Promise<void>,
): Promise<void> {
  if (ALWAYS.test(path)) return run();
  const leave = enter(client.id);
  if (!leave) return shed(res);
  const endTurn = await turns[client.anonymous ? 'anonymous' : 'other'].take(client.id);
  const end = () => {
    clearTimeout(timer);
    leave();
    endTurn();
  };
  const timer = setTimeout(end, path === '/api/inngest' ? LONGEST_OF_INNGEST : LONGEST).unref();
  // Lets the event loop read other connections before the request starts.
  await nextTurn();
  // If the connection closes while the response to an earlier pipelined request is unsent, Node does not destroy `res`.
  // The socket is therefore also checked.
  if (res.destroyed || res.req.socket.destroyed) return end();
  const begun = performance.now();
  const finish = () => {
    if (client.anonymous) setTimeout(end, Math.min(performance.now() - begun, PAUSE)).unref();
    else end();
  };
  res.once('close', finish);
  await run().finally(finish);
}

/** Counts a client's request. Returns a function that stops counting it, or null if there are too many requests. */
function enter(client: string): (() => void) | null {
  const own = ofClient.get(client) ?? 0;
  if (own >= MAX_OF_ONE || ofAll >= MAX_OF_ALL) return null;
  ofClient.set(client, own + 1);
  ofAll++;
  let entered = true;
  return () => {
    if (!entered) return;
    entered = false;
    ofAll--;
    const left = (ofClient.get(client) ?? 0) - 1;
    if (left > 0) ofClient.set(client, left);
    else ofClient.delete(client);
  };
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
