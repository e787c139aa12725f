import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { countShed } from '@/lib/activity/metrics/counters';
import { createTurns } from '@/lib/platform/turns';

/**
 * Maximum number of requests that Next.js handles at the same time. Requests to the partner API do not count. The limit
 * applies separately to anonymous clients and to all other clients. Each request takes a few milliseconds of CPU time.
 */
const IN_FLIGHT = 6;
/**
 * A second limit for anonymous clients: `most` returns the maximum number of running requests that started less than
 * `age` milliseconds ago. Without this limit, several requests that have just started would often run in one turn of the
 * event loop, and partner requests would have to wait for all of them.
 */
const ANONYMOUS = { most: () => 1, age: 100 };
/**
 * Maximum milliseconds of the pause after a request from an anonymous client. The pause is as long as the request took,
 * but not longer than this maximum. A flood therefore uses about half of the CPU time.
 */
const PAUSE = 5;
/**
 * Milliseconds after which a running request no longer counts toward the limits. Such a request waits for the
 * database, or for a client that does not read its response, and uses little CPU time.
 */
const LONGEST = 2_000;
/**
 * Replaces `LONGEST` for requests from Inngest. These use CPU time only at the beginning, and then wait up to 15
 * seconds for a webhook receiver.
 */
const LONGEST_OF_INNGEST = 100;
/** Maximum number of requests of one client that are waiting or being handled. */
const MAX_OF_ONE = 106;
/** Maximum number of requests that are waiting or being handled, of all clients together. */
const MAX_OF_ALL = 1_000;
/** Retry-After in seconds. */
const RETRY_AFTER = 1;

/** Matches the route with which benchmarks measure Next.js without these limits. */
const UNLIMITED = process.env.BENCH === '1' ? /^\/api\/bench(?:\/|$)/ : null;

const turns = { anonymous: createTurns(IN_FLIGHT, ANONYMOUS), other: createTurns(IN_FLIGHT) };
const ofClient = new Map<string, number>();
let ofAll = 0;

/**
 * The client of a request outside the partner API. `id` identifies a session or a network. Anonymous clients have
 * stricter limits (see `ANONYMOUS`). `anonymous` is false for sessions. It is also false for attempts to gain access
 * (see `isAttempt`) and for Inngest, because these requests mostly wait and use little CPU time.
 */
export type PageClient = { id: string; anonymous: boolean };

/**
 * Handles a request outside the partner API. Clients take turns, so that a flood from one client does not block
 * other clients. Responds with 503 if too many requests from this client or from all clients are unfinished.
 */
export async function whenPageMayRun(
  client: PageClient,
  path: string,
  res: ServerResponse,
  run: () => Promise<void>,
): Promise<void> {
  if (UNLIMITED?.test(path)) return run();
  const leave = enter(client.id);
  if (!leave) return shed(res);
  const endTurn = await turns[client.anonymous ? 'anonymous' : 'other'].take(client.id);
  const end = () => {
    clearTimeout(timer);
    leave();
    endTurn();
  };
  const timer = setTimeout(end, path === '/api/inngest' ? LONGEST_OF_INNGEST : LONGEST).unref();
  // Lets the event loop read other connections first.
  await nextTurn();
  // Checks the socket too. If the client closes the connection while an earlier response on it is still unsent, Node
  // does not destroy `res`.
  if (res.destroyed || res.req.socket.destroyed) return end();
  const begun = performance.now();
  const finish = () => {
    if (client.anonymous) setTimeout(end, Math.min(performance.now() - begun, PAUSE)).unref();
    else end();
  };
  res.once('close', finish);
  await run().finally(finish);
}

/**
 * Counts a client's request. Returns a function that removes the request from the counts, or null if there are too many
 * requests.
 */
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

/** Refuses a request outside the partner API with 503. */
export function shed(res: ServerResponse): void {
  countShed('page');
  res.writeHead(503, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': RETRY_AFTER,
  });
  res.end('Service Unavailable');
}
