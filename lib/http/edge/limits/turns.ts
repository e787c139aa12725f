import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { lastExchange } from '../exchange';

/** Maximum number of requests of one connection that are handled at the same time. */
const IN_FLIGHT = 8;
/** The maximum if one of them is for a page: a page that the client has not read takes far more memory. */
const PAGES_IN_FLIGHT = 2;
/** Maximum number of waiting requests on all connections together. Each takes about 3 KB. */
const MAX_WAITING = 10_000;
/** Maximum number of waiting requests on one connection while `MAX_WAITING` is exceeded. */
const MAX_WAITING_OF_ONE = 64;

const TURNS = Symbol('turns');

type Turns = { running: number; limit: number; waiting: (() => void)[]; scheduled: boolean };
type TurnSocket = Duplex & { [TURNS]?: Turns };

let waitingOnAll = 0;

/**
 * Starts to handle a request, at once or when fewer requests of its connection are in flight. Node emits every request of
 * a packet at once, which may be thousands. While requests wait, the connection is not read; if it closes, they are
 * dropped.
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

/** Returns whether requests of a connection wait for their turn. */
export function hasWaiting(socket: TurnSocket): boolean {
  return (socket[TURNS]?.waiting.length ?? 0) > 0;
}

/** Calls `callback` after the waiting requests of a connection have started. Only for a connection with such requests. */
export function afterWaiting(socket: TurnSocket, callback: () => void): void {
  const turns = socket[TURNS];
  if (turns) wait(socket, turns, callback);
}

/** Calls `callback` after the responses to all earlier requests of a connection. */
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
  // The last response may be written before its turn comes, and the rest of the input must then be drained.
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

// In a turn of the event loop of its own: answers without a query would otherwise run to the last one before any other
// connection is read.
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

// Node resumes a socket after every response, so that a pause alone would not last.
function pauseReading(socket: Duplex): void {
  socket.pause();
  socket.resume = () => socket;
}

function resumeReading(socket: Duplex): void {
  Reflect.deleteProperty(socket, 'resume');
  if (!socket.destroyed) socket.resume();
}
