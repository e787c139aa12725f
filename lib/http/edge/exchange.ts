import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Respond } from '../partner-api/web';
import type { OperatorPath, PartnerRouteId } from './target';

/** The routes of the partner API. `unknown` is the catch-all route. */
export type Routes = Readonly<Record<PartnerRouteId, Respond>>;

/** The routes of the health checks and the metrics. They respond to GET and HEAD. */
export type OperatorRoutes = Readonly<Record<OperatorPath, Respond>>;

/**
 * The settings and the state of a server's edge, which receives each request first and then refuses it or passes it on.
 */
export type Edge = {
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** The routes of partner requests. Without them, partner requests go to Next.js. */
  routes?: Routes;
  /** Without these routes, the health checks and the metrics go to Next.js. */
  operatorRoutes?: OperatorRoutes;
  trustedProxies: number;
  /** Whether Inngest sends requests to this server. */
  inngest?: boolean;
  draining: boolean;
  /** Returns the maximum body size in bytes for a path outside the partner API. */
  maximumBody?: (path: string) => number;
};

export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  method: string;
  /** The remote address of the socket, computed once per connection. */
  peer: string;
  /** The client's address: the address that trusted proxies report, otherwise `peer`. */
  address: string;
  /** When the edge began to handle the request, as a value of `performance.now()`. */
  begun: number;
  /** How many milliseconds the request waited for the event loop before `begun`. */
  waited: number;
  /** The number of bytes of the body that arrived before `begun`. */
  arrived: number;
  /** Whether the request is for the partner API. Its response then needs the headers of the contract. */
  partner: boolean;
  /** Whether the edge sends an error instead of the response of the route or of Next.js (see `refuse`). */
  replaced: boolean;
};

const LAST = Symbol('last exchange');

type EdgeSocket = Duplex & { [LAST]?: Exchange };

/**
 * Records the latest exchange of a connection. If an error of the connection occurs later, it concerns this exchange or
 * a request that arrived after it.
 */
export function noteExchange(socket: EdgeSocket, exchange: Exchange): void {
  socket[LAST] = exchange;
  // The exchange stays in memory until the next request of the connection. Its head can have 64 KiB.
  exchange.res.once('close', () => forgetHead(exchange.req));
}

function forgetHead(req: IncomingMessage): void {
  req.rawHeaders = [];
  req.headers = {};
}

/** Returns the latest exchange of a connection, or undefined if the connection has had no exchange. */
export function lastExchange(socket: EdgeSocket): Exchange | undefined {
  return socket[LAST];
}
