import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { countShed } from '@/lib/activity/metrics/counters';
import { createTurns, type Turns } from '@/lib/platform/turns';
import { CALLS_OF_SESSION } from './size';

/**
 * Maximum number of requests of one kind of client (see `PageClient`) that Next.js handles at the same time. Requests
 * to the partner API do not count. Each request takes a few milliseconds of CPU time.
 */
const IN_FLIGHT = 6;
/**
 * A second limit for anonymous clients: `most` returns the maximum number of running requests that started less than
 * `age` milliseconds ago. Without this limit, several requests that have just started would often run in one turn of
 * the event loop, and partner requests would have to wait for all of them.
 */
const ANONYMOUS = { most: () => 1, age: 100 };
/**
 * The same limit for attempts to gain access. Most attempts compute the hash of a password, which uses a processor for
 * 20 to 50 milliseconds. Attempts from many networks would otherwise use all processors.
 */
const ATTEMPTS = { most: () => 1, age: 200 };
/**
 * Maximum milliseconds of the pause after a request from an anonymous client. The pause is as long as the request took,
 * but not longer than this maximum. A flood therefore uses about half of the CPU time.
 */
const PAUSE = 5;
/** Replaces `PAUSE` for attempts to gain access. */
const PAUSE_AFTER_ATTEMPT = 50;
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
/** Maximum number of requests that are waiting or being handled, of all clients of one kind together. */
const MAX_OF_KIND = 1_000;
/**
 * Maximum bytes in the heads and bodies of the requests of one client that are waiting or being handled. Two catalog
 * imports of the largest size fit.
 */
const MAX_BYTES_OF_ONE = 9 * 1024 * 1024;
/** The same maximum for all clients of one kind together. */
const MAX_BYTES_OF_KIND = 32 * 1024 * 1024;
/** Retry-After in seconds. */
const RETRY_AFTER = 1;

/** Matches the route with which benchmarks measure Next.js without these limits. */
const UNLIMITED = process.env.BENCH === '1' ? /^\/api\/bench(?:\/|$)/ : null;

/**
 * The limits of a kind of client. Each kind has its own, so that a flood from many networks does not delay signed-in
 * people. `unfinished` counts the requests that are waiting or being handled.
 */
type Limits = { turns: Turns; pause: number; longest: number; unfinished: Count };

/** A number of requests, in which each call of a batch counts as one, and of their bytes. */
type Count = { requests: number; bytes: number };

const limits = {
  session: limitsOf({ turns: createTurns(IN_FLIGHT, undefined, CALLS_OF_SESSION) }),
  attempt: limitsOf({ turns: createTurns(IN_FLIGHT, ATTEMPTS), pause: PAUSE_AFTER_ATTEMPT }),
  inngest: limitsOf({ turns: createTurns(IN_FLIGHT), longest: LONGEST_OF_INNGEST }),
  anonymous: limitsOf({ turns: createTurns(IN_FLIGHT, ANONYMOUS), pause: PAUSE }),
};

function limitsOf(own: Pick<Limits, 'turns'> & Partial<Limits>): Limits {
  return { pause: 0, longest: LONGEST, unfinished: { requests: 0, bytes: 0 }, ...own };
}

const ofClient = new Map<string, Count>();

/**
 * The client of a request outside the partner API. `id` identifies a session or a network. `kind` is `session` for a
 * session, `attempt` for an attempt to gain access (see `isAttempt`), `inngest` for a request to the path of Inngest
 * if the server uses Inngest, and `anonymous` for all other requests of a network.
 */
export type PageClient = { id: string; kind: keyof typeof limits };

/**
 * A request outside the partner API. `bytes` is the size of its head and body. `calls` is the number of calls that it
 * contains (see `countedCalls`). Each of them counts toward the limits like a request of its own.
 */
export type PageRequest = { client: PageClient; path: string; bytes: number; calls: number };

/**
 * Handles a request outside the partner API. Clients take turns, so that a flood from one client does not block
 * other clients. Responds with 503 if too many requests, or too many bytes, from this client or from all clients of its
 * kind are unfinished.
 */
export async function whenPageMayRun(
  { client, path, bytes, calls }: PageRequest,
  res: ServerResponse,
  run: () => Promise<void>,
): Promise<void> {
  if (UNLIMITED?.test(path)) return run();
  const own = limits[client.kind];
  const leave = enter(client.id, own.unfinished, { requests: calls, bytes });
  if (!leave) return shed(res);
  const endTurn = await own.turns.take(client.id, calls);
  const end = () => {
    clearTimeout(timer);
    leave();
    endTurn();
  };
  const timer = setTimeout(end, own.longest).unref();
  // Lets the event loop read other connections first.
  await nextTurn();
  // Checks the socket too. If the client closes the connection while an earlier response on it is still unsent, Node
  // does not destroy `res`.
  if (res.destroyed || res.req.socket.destroyed) return end();
  const begun = performance.now();
  const finish = () => {
    if (own.pause > 0) setTimeout(end, Math.min(performance.now() - begun, own.pause)).unref();
    else end();
  };
  // An attempt continues to compute its hash after the client has closed the connection.
  if (client.kind !== 'attempt') res.once('close', finish);
  await run().finally(finish);
}

/**
 * Counts a client's request. Returns a function that removes the request from the counts, or null if there are too many
 * requests or bytes of this client or of its kind (`ofKind`).
 */
function enter(client: string, ofKind: Count, { requests, bytes }: Count): (() => void) | null {
  const own = ofClient.get(client) ?? { requests: 0, bytes: 0 };
  if (own.requests + requests > MAX_OF_ONE || own.bytes + bytes > MAX_BYTES_OF_ONE) return null;
  if (ofKind.requests + requests > MAX_OF_KIND || ofKind.bytes + bytes > MAX_BYTES_OF_KIND) return null;
  const add = (sign: 1 | -1) => {
    for (const count of [own, ofKind]) {
      count.requests += sign * requests;
      count.bytes += sign * bytes;
    }
  };
  add(1);
  ofClient.set(client, own);
  let entered = true;
  return () => {
    if (!entered) return;
    entered = false;
    add(-1);
    if (own.requests === 0) ofClient.delete(client);
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
