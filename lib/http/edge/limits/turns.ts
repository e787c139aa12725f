import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { lastExchange } from '../exchange';

/** Maximum number of requests of one connection that are handled at the same time. */
const IN_FLIGHT = 8;
/**
 * Maximum number of requests of one connection that are handled at the same time if the latest request is for a page.
 * This limit is lower than `IN_FLIGHT`, because a page that the client has not read yet takes much more memory than a
 * response of the partner API.
 */
const PAGES_IN_FLIGHT = 2;
/** Maximum number of waiting requests on all connections together. Each waiting request takes about 3 KB of memory. */
const MAX_WAITING = 10_000;
/**
 * Maximum number of waiting requests on one connection. Enforced only while there are more than `MAX_WAITING` waiting
 * requests on all connections together.
 */
const MAX_WAITING_OF_ONE = 64;

const TURNS = Symbol('turns');

type Turns = { running: number; limit: number; waiting: (() => void)[]; scheduled: boolean };
type TurnSocket = Duplex & { [TURNS]?: Turns };

let waitingOnAll = 0;

/**
 * Starts to handle a request, either immediately or as soon as fewer requests of its connection are in flight. Node
 * emits all pipelined requests of a packet at the same time, and a packet can contain thousands of them. While requests
 * of a connection wait, the server does not read from the connection. If the connection closes, its waiting requests
 * are dropped.
 */
export function inTurn(req: IncomingMessage, res: ServerResponse, handle: () => void): void {
  const socket: TurnSocket = req.socket;
  const turns = turnsOf(socket);
  const start = () => {
    turns.running++;
    turns.limit = req.url?.startsWith('/api/partner/') ? IN_FLIGHT : PAGES_IN_FLIGHT;
    res.once('close', () => {
      turns.running--;
      if (turns.waiting.length > 0) schedule(socket, turns);
    });
    handle();
  };
  if (turns.running < turns.limit && turns.waiting.length === 0) start();
  else wait(socket, turns, start);
}

/** Returns whether a connection has waiting requests. */
export function hasWaiting(socket: TurnSocket): boolean {
  return (socket[TURNS]?.waiting.length ?? 0) > 0;
}

/**
 * Calls `callback` after all waiting requests of a connection have started. The connection must have waiting requests.
 */
export function afterWaiting(socket: TurnSocket, callback: () => void): void {
  const turns = socket[TURNS];
  if (turns) wait(socket, turns, callback);
}

/** Calls `callback` after all earlier requests of a connection have received their responses. */
export function afterEarlier(socket: TurnSocket, callback: () => void): void {
  const last = lastExchange(socket);
  if (hasWaiting(socket)) afterWaiting(socket, () => afterEarlier(socket, callback));
  else if (!last || last.res.closed) callback();
  else last.res.once('close', callback);
}

function turnsOf(socket: TurnSocket): Turns {
  const known = socket[TURNS];
  if (known) return known;
  const turns: Turns = { running: 0, limit: IN_FLIGHT, waiting: [], scheduled: false };
  socket[TURNS] = turns;
  // If the server ends its side of the connection while requests wait, these requests are dropped. The server then
  // reads from the connection again, so that the remaining input is discarded.
  socket.once('finish', () => drop(socket, turns));
  socket.once('close', () => drop(socket, turns));
  return turns;
}

function wait(socket: TurnSocket, turns: Turns, start: () => void): void {
  if (socket.destroyed) return;
  if (turns.waiting.length === 0) pauseReading(socket);
  turns.waiting.push(start);
  waitingOnAll++;
  if (waitingOnAll > MAX_WAITING && turns.waiting.length > MAX_WAITING_OF_ONE) socket.destroy();
}

// Waiting requests start in a separate turn of the event loop. Otherwise, all requests that need no database query
// would be handled before any other connection is read.
function schedule(socket: TurnSocket, turns: Turns): void {
  if (turns.scheduled) return;
  turns.scheduled = true;
  setImmediate(() => {
    turns.scheduled = false;
    while (turns.running < turns.limit) {
      const start = turns.waiting.shift();
      if (!start) break;
      waitingOnAll--;
      start();
      if (turns.waiting.length === 0) resumeReading(socket);
    }
  });
}

function drop(socket: TurnSocket, turns: Turns): void {
  if (turns.waiting.length === 0) return;
  waitingOnAll -= turns.waiting.length;
  turns.waiting = [];
  resumeReading(socket);
}

// Node resumes a socket after every response, which would end the pause. `resume` is therefore disabled during the
// pause.
function pauseReading(socket: Duplex): void {
  socket.pause();
  socket.resume = () => socket;
}

function resumeReading(socket: Duplex): void {
  Reflect.deleteProperty(socket, 'resume');
  if (!socket.destroyed) socket.resume();
}
