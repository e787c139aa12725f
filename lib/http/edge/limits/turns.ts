import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { lastExchange } from '../exchange';

/** Maximum number of requests from one connection that are handled at the same time. */
const IN_FLIGHT = 8;
/**
 * Replaces `IN_FLIGHT` for a connection on which the request that started last is outside the partner API. This limit
 * is lower, because an unread page takes much more memory than a response of the partner API.
 */
const PAGES_IN_FLIGHT = 2;
/**
 * Maximum number of requests that start in one turn of the event loop. Hundreds of requests can arrive in one turn. If
 * all of them started in the same turn, the event loop could not read query results until the end of this turn, and the
 * database would be idle.
 */
const STARTS_PER_TURN = 16;
/**
 * Number of waiting requests on all connections together, above which `MAX_WAITING_OF_ONE` is enforced. Each waiting
 * request takes about 3 KB of memory.
 */
const MAX_WAITING = 10_000;
/**
 * Number of requests that arrive in one turn of the event loop, above which `MAX_WAITING_OF_ONE` is enforced. Node
 * parses everything that has arrived on all connections before anything else runs, and a packet can contain thousands
 * of short requests. Requests with a key are longer, so a single packet of such requests stays below this number.
 */
const ARRIVALS_PER_TURN = 2_000;
/**
 * Maximum number of waiting requests on one connection. While `MAX_WAITING` or `ARRIVALS_PER_TURN` is exceeded, a
 * connection that exceeds this maximum is closed. Otherwise, the maximum does not apply.
 */
const MAX_WAITING_OF_ONE = 16;
/** Number of leading characters of the Authorization header that identify a client. Keys are shorter. */
const CLIENT_LENGTH = 100;

const TURNS = Symbol('turns');

/** A waiting request, and the client that sent it. */
type Waiting = { client: string; start: () => void };
type Turns = { running: number; limit: number; waiting: Waiting[] };
type TurnSocket = Duplex & { [TURNS]?: Turns };

let waitingOnAll = 0;
/** Number of requests that have arrived in the current turn of the event loop. */
let arrived = 0;
/** Number of requests that have started in the current turn of the event loop. */
let started = 0;
/** Whether `nextTurn` is scheduled for the end of the current turn. */
let scheduled = false;
/**
 * The connections that have a waiting request and fewer requests in flight than their limit. They are grouped by the
 * client of their next request. Clients take turns, and so do the connections of a client. Whichever has waited longest
 * comes first.
 */
const ready = new Map<string, Map<TurnSocket, Turns>>();

/**
 * Starts handling a request immediately, or as soon as its connection and the event loop are below their limits. The
 * queue is needed because Node emits all pipelined requests of a packet in the same turn, and a packet can contain
 * thousands of requests. While requests wait for earlier requests from the same connection, the server does not read
 * from that connection. If the connection closes, its waiting requests are dropped.
 */
export function inTurn(req: IncomingMessage, res: ServerResponse, handle: () => void): void {
  const socket: TurnSocket = req.socket;
  const turns = turnsOf(socket);
  arrived++;
  schedule();
  const start = () => {
    turns.running++;
    turns.limit = req.url?.startsWith('/api/partner/') ? IN_FLIGHT : PAGES_IN_FLIGHT;
    res.once('close', () => {
      turns.running--;
      if (turns.waiting.length > 0) beReady(socket, turns);
    });
    started++;
    schedule();
    handle();
  };
  if (turns.waiting.length > 0 || turns.running >= turns.limit) {
    pauseReading(socket);
    wait(socket, turns, { client: clientOf(req), start });
  } else if (started < STARTS_PER_TURN && ready.size === 0) start();
  else {
    wait(socket, turns, { client: clientOf(req), start });
    beReady(socket, turns);
  }
}

/**
 * Returns the client of a request, so that the clients of the partner API take turns. Otherwise, a client with hundreds
 * of connections would delay a client with one connection. The key does not need to be verified, because a client that
 * sends many different keys still gets at most one turn per connection. All requests without a key count as requests
 * from one client.
 */
function clientOf({ headers }: IncomingMessage): string {
  return headers.authorization?.slice(0, CLIENT_LENGTH) ?? '';
}

/** Returns whether a connection has waiting requests. */
export function hasWaiting(socket: TurnSocket): boolean {
  return (socket[TURNS]?.waiting.length ?? 0) > 0;
}

/**
 * Calls `callback` after all waiting requests on a connection have started. The connection must have waiting requests.
 */
export function afterWaiting(socket: TurnSocket, callback: () => void): void {
  const turns = socket[TURNS];
  if (turns) wait(socket, turns, { client: '', start: callback });
}

/** Calls `callback` after all earlier requests on a connection have received their responses. */
export function afterEarlier(socket: TurnSocket, callback: () => void): void {
  const last = lastExchange(socket);
  if (hasWaiting(socket)) afterWaiting(socket, () => afterEarlier(socket, callback));
  else if (!last || last.res.closed) callback();
  else last.res.once('close', callback);
}

function turnsOf(socket: TurnSocket): Turns {
  const known = socket[TURNS];
  if (known) return known;
  const turns: Turns = { running: 0, limit: IN_FLIGHT, waiting: [] };
  socket[TURNS] = turns;
  // If the server ends its side of the connection while requests wait, these requests are dropped. The server then
  // reads from the connection again, so that the remaining input is discarded.
  socket.once('finish', () => drop(socket, turns));
  socket.once('close', () => drop(socket, turns));
  return turns;
}

function wait(socket: TurnSocket, turns: Turns, request: Waiting): void {
  if (socket.destroyed) return;
  turns.waiting.push(request);
  waitingOnAll++;
  const tooMany = waitingOnAll > MAX_WAITING || arrived > ARRIVALS_PER_TURN;
  if (tooMany && turns.waiting.length > MAX_WAITING_OF_ONE) cut(socket);
}

/**
 * Closes a connection and discards the rest of the packet that is being parsed. Otherwise, Node would still create an
 * object for every request in every packet that has arrived, before it reads anything else. Node's parser skips the
 * rest of a packet if `onIncoming` returns 2, which means that another protocol follows.
 */
function cut(socket: TurnSocket): void {
  socket.destroy();
  const parser: unknown = Reflect.get(socket, 'parser');
  if (typeof parser === 'object' && parser !== null) Reflect.set(parser, 'onIncoming', () => 2);
}

/** Adds a connection that has a waiting request to `ready`. */
function beReady(socket: TurnSocket, turns: Turns): void {
  const client = turns.waiting[0]?.client ?? '';
  const sockets = ready.get(client) ?? new Map<TurnSocket, Turns>();
  sockets.set(socket, turns);
  ready.set(client, sockets);
  schedule();
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(nextTurn);
}

/**
 * Starts waiting requests, one from each client in rotation. They start in a separate turn of the event loop.
 * Otherwise, all requests that need no database query would be handled before any other connection is read.
 */
function nextTurn(): void {
  scheduled = false;
  started = 0;
  arrived = 0;
  for (const [client, sockets] of ready) {
    if (started >= STARTS_PER_TURN) break;
    // A Map iterates in the order of insertion, so deleting and adding the client moves it to the end.
    ready.delete(client);
    for (const [socket, turns] of sockets) {
      sockets.delete(socket);
      if (sockets.size > 0) ready.set(client, sockets);
      startFirst(socket, turns);
      break;
    }
  }
  if (ready.size > 0) schedule();
}

function startFirst(socket: TurnSocket, turns: Turns): void {
  const first = turns.waiting.shift();
  if (!first) return;
  waitingOnAll--;
  first.start();
  if (turns.waiting.length === 0) resumeReading(socket);
  else if (turns.running < turns.limit) beReady(socket, turns);
}

function drop(socket: TurnSocket, turns: Turns): void {
  const [first] = turns.waiting;
  if (!first) return;
  ready.get(first.client)?.delete(socket);
  waitingOnAll -= turns.waiting.length;
  turns.waiting = [];
  resumeReading(socket);
}

// Node resumes a socket after every response, which would end the pause. `resume` is therefore disabled during the
// pause.
function pauseReading(socket: Duplex): void {
  if (Object.hasOwn(socket, 'resume')) return;
  socket.pause();
  socket.resume = () => socket;
}

function resumeReading(socket: Duplex): void {
  if (!Object.hasOwn(socket, 'resume')) return;
  Reflect.deleteProperty(socket, 'resume');
  if (!socket.destroyed) socket.resume();
}
