import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { lastExchange } from '../exchange';

/**
 * Maximum number of requests that a connection handles at the same time, if its latest started request is for the
 * partner API.
 */
const PARTNER_IN_FLIGHT = 8;
/**
 * Replaces `PARTNER_IN_FLIGHT` if the latest started request of a connection is not for the partner API. This limit is
 * lower, because a page that the client does not read takes much more memory than a response of the partner API.
 */
const OTHER_IN_FLIGHT = 2;
/**
 * Maximum number of requests that start in one turn of the event loop. Hundreds of requests can arrive in one turn.
 * If all of them started, the event loop could not read query results until all of them had been handled. Until then,
 * the database would be idle.
 */
const STARTS_PER_TURN = 16;
/**
 * Replaces `STARTS_PER_TURN` if the next request has waited for more than `LATE` milliseconds. Requests then arrive
 * faster than `STARTS_PER_TURN` lets them start, and would wait longer and longer. During such an overload, more of
 * them can start in one turn, because most of them are refused, and a refusal takes little time.
 */
const LATE_STARTS_PER_TURN = 64;
const LATE = 8;
/**
 * Maximum milliseconds for which no request starts while every turn accepts a new connection. Node accepts only one
 * connection per turn, in the order of their arrival. During a flood of new connections, the turns must therefore be
 * short, so that all connections are accepted soon. Their requests then start in rotation.
 */
const ACCEPTING = 15;
/**
 * If more requests than this wait on all connections together, the limit `MAX_WAITING_OF_ONE` on each connection
 * applies. Each waiting request takes about 3 KB.
 */
const MAX_WAITING = 10_000;
/**
 * If more requests than this arrive in one turn of the event loop, the limit `MAX_WAITING_OF_ONE` on each connection
 * applies. In one turn, Node parses all data that has arrived, which can contain thousands of short requests. Requests
 * with keys are longer, so fewer of them arrive in one turn.
 */
const ARRIVALS_PER_TURN = 2_000;
/**
 * If more requests than this arrive in one second, the limit `MAX_WAITING_OF_ONE` on each connection applies. Without
 * this limit, the server would parse all requests of a client that sends a thousand of them on each new connection.
 */
const ARRIVALS_PER_SECOND = 10_000;
/** If one of the three limits above is exceeded, a connection with more waiting requests than this is closed. */
const MAX_WAITING_OF_ONE = 16;
/** Number of leading characters of the Authorization header that identify a client. Keys are shorter than this. */
const CLIENT_LENGTH = 100;

const TURNS = Symbol('turns');

/** `start` gets the number of milliseconds that the request waited for its turn. */
type Waiting = { client: string; start: (waited: number) => void };
type Turns = {
  running: number;
  limit: number;
  waiting: Waiting[];
  /**
   * The time from which the first waiting request may start, as a value of `performance.now()`. The request can start
   * later, because clients take turns.
   */
  readyAt: number;
};
type TurnSocket = Duplex & { [TURNS]?: Turns };

let waitingOnAll = 0;
/** Number of requests that have arrived in the current turn of the event loop. */
let arrived = 0;
/** Number of requests that have arrived since `secondBegan`, which is a value of `performance.now()`. */
let arrivedInSecond = 0;
let secondBegan = 0;
/** Number of requests that have started in the current turn of the event loop. */
let started = 0;
/** Whether a connection has been accepted in the current turn of the event loop. */
let accepted = false;
/** The time, as a value of `performance.now()`, at which the last call of `startWaiting` ended. */
let lastStarts = 0;
let scheduled = false;
/**
 * The connections whose next request waits only for its turn. They are grouped by the client that sent this request
 * (see `clientOf`). Clients take turns, and so do the connections of a client.
 */
const ready = new Map<string, Map<TurnSocket, Turns>>();

/** Records that a connection was accepted (see `ACCEPTING`). */
export function noteAccepted(): void {
  accepted = true;
  schedule();
}

/**
 * Starts a request as soon as its connection and the event loop are below their limits. Node emits all pipelined
 * requests of a packet in the same turn, and a packet can contain thousands. While a request waits for earlier requests
 * of its connection, the connection is not read. If the connection closes, its waiting requests are dropped.
 * @param handle starts the request. It gets the number of milliseconds that the request waited for the event loop,
 *   without the wait for earlier requests of the connection.
 */
export function inTurn(req: IncomingMessage, res: ServerResponse, handle: (waited: number) => void): void {
  const socket: TurnSocket = req.socket;
  const turns = turnsOf(socket);
  arrived++;
  arrivedInSecond++;
  schedule();
  const start = (waited: number) => {
    turns.running++;
    turns.limit = req.url?.startsWith('/api/partner/') ? PARTNER_IN_FLIGHT : OTHER_IN_FLIGHT;
    res.once('close', () => {
      turns.running--;
      if (turns.waiting.length > 0) beReady(socket, turns);
    });
    started++;
    schedule();
    handle(waited);
  };
  if (turns.waiting.length > 0 || turns.running >= turns.limit) {
    pauseReading(socket);
    wait(socket, turns, { client: clientOf(req), start });
  } else if (!accepted && started < STARTS_PER_TURN && ready.size === 0) start(0);
  else {
    wait(socket, turns, { client: clientOf(req), start });
    beReady(socket, turns);
  }
}

/**
 * Returns the start of the Authorization header, which identifies a client when turns are distributed among clients.
 * All requests without a key count as one client. The header is not verified. This is safe, because a client that sends
 * many different keys still gets at most one turn per connection.
 */
function clientOf({ headers }: IncomingMessage): string {
  return headers.authorization?.slice(0, CLIENT_LENGTH) ?? '';
}

/** Returns whether a connection has waiting requests. */
export function hasWaiting(socket: TurnSocket): boolean {
  return (socket[TURNS]?.waiting.length ?? 0) > 0;
}

/**
 * Calls `callback` after all waiting requests of a connection have started. The connection must have waiting
 * requests.
 */
export function afterWaiting(socket: TurnSocket, callback: () => void): void {
  const turns = socket[TURNS];
  if (turns) wait(socket, turns, { client: '', start: callback });
}

/** Calls `callback` after all earlier requests of a connection have got their responses. */
export function afterEarlier(socket: TurnSocket, callback: () => void): void {
  const last = lastExchange(socket);
  if (hasWaiting(socket)) afterWaiting(socket, () => afterEarlier(socket, callback));
  else if (!last || last.res.closed) callback();
  else last.res.once('close', callback);
}

function turnsOf(socket: TurnSocket): Turns {
  const known = socket[TURNS];
  if (known) return known;
  const turns: Turns = { running: 0, limit: PARTNER_IN_FLIGHT, waiting: [], readyAt: 0 };
  socket[TURNS] = turns;
  // If the server ends its side of the connection, the waiting requests are dropped, and the rest of the input is
  // read and discarded.
  socket.once('finish', () => drop(socket, turns));
  socket.once('close', () => drop(socket, turns));
  return turns;
}

function wait(socket: TurnSocket, turns: Turns, request: Waiting): void {
  if (socket.destroyed) return;
  turns.waiting.push(request);
  waitingOnAll++;
  const tooMany = waitingOnAll > MAX_WAITING || arrived > ARRIVALS_PER_TURN || arrivedInSecond > ARRIVALS_PER_SECOND;
  if (tooMany && turns.waiting.length > MAX_WAITING_OF_ONE) cut(socket);
}

/**
 * Closes a connection and discards the rest of the packet that is being parsed. If the rest were parsed, Node would
 * create an object for every request in it. The parser skips the rest if `onIncoming` returns 2, which means that
 * another protocol follows.
 */
function cut(socket: TurnSocket): void {
  socket.destroy();
  const parser: unknown = Reflect.get(socket, 'parser');
  if (typeof parser === 'object' && parser !== null) Reflect.set(parser, 'onIncoming', () => 2);
}

function beReady(socket: TurnSocket, turns: Turns): void {
  const client = turns.waiting[0]?.client ?? '';
  const sockets = ready.get(client) ?? new Map<TurnSocket, Turns>();
  turns.readyAt = performance.now();
  sockets.set(socket, turns);
  ready.set(client, sockets);
  schedule();
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(nextTurn);
}

/** Begins a turn of the event loop. Starts waiting requests, unless connections are still being accepted. */
function nextTurn(): void {
  scheduled = false;
  started = 0;
  arrived = 0;
  const now = performance.now();
  if (now - secondBegan > 1_000) {
    secondBegan = now;
    arrivedInSecond = 0;
  }
  const accepting = accepted && now - lastStarts < ACCEPTING;
  accepted = false;
  if (!accepting) startWaiting(now);
  if (ready.size > 0) schedule();
}

/**
 * Starts waiting requests, one per client in rotation. Starts at most `STARTS_PER_TURN` of them in this turn of the
 * event loop, or `LATE_STARTS_PER_TURN` while the next request is late. The others start in later turns, so that the
 * event loop can read other connections first.
 */
function startWaiting(now: number): void {
  const late = now - LATE;
  for (const [client, sockets] of ready) {
    if (started >= (isLate(sockets, late) ? LATE_STARTS_PER_TURN : STARTS_PER_TURN)) break;
    // A Map keeps the order of insertion. Deleting and inserting the client again moves it to the end.
    ready.delete(client);
    for (const [socket, turns] of sockets) {
      sockets.delete(socket);
      if (sockets.size > 0) ready.set(client, sockets);
      startFirst(socket, turns);
      break;
    }
  }
  lastStarts = performance.now();
}

/** Returns whether the next request of a client still waits, although it could have started before the time `late`. */
function isLate(sockets: Map<TurnSocket, Turns>, late: number): boolean {
  for (const { readyAt } of sockets.values()) return readyAt < late;
  return false;
}

function startFirst(socket: TurnSocket, turns: Turns): void {
  const first = turns.waiting.shift();
  if (!first) return;
  waitingOnAll--;
  first.start(performance.now() - turns.readyAt);
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

// Stops reading a socket. `pause` alone is not enough, because Node calls `resume` after every response.
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
