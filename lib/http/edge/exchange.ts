import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Respond } from '../partner-api/partner-route';
import type { PartnerRouteId } from './target';

/** The routes of the partner API. `unknown` is the catch-all route. */
export type Routes = Readonly<Record<PartnerRouteId, Respond>>;

/** The settings and the state of one server's edge. */
export type Edge = {
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** The routes for partner requests. If missing, the edge passes partner requests to Next.js. */
  routes?: Routes;
  trustedProxies: number;
  draining: boolean;
  /** Returns the maximum body size in bytes for a path outside the partner API. */
  maximumBody?: (path: string) => number;
};

/** One request and its response. */
export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  method: string;
  /** The remote address of the socket, computed once per connection. */
  peer: string;
  /**
   * The client's address. Behind trusted proxies, it is the address that the proxies report. Otherwise, it is the same
   * as `peer`.
   */
  address: string;
  /** The value of `performance.now()` when the edge began to handle the request. */
  begun: number;
  /** Whether the request is for the partner API. The response to such a request must have the contract's headers. */
  partner: boolean;
  /** Whether the edge sends an error response instead of the response from the route or from Next.js (see `refuse`). */
  replaced: boolean;
};

const LAST = Symbol('last exchange');

type EdgeSocket = Duplex & { [LAST]?: Exchange };

/**
 * Records the latest exchange of a connection. If the connection fails later, the error belongs to this exchange or to
 * a request after it.
 */
export function noteExchange(socket: EdgeSocket, exchange: Exchange): void {
  socket[LAST] = exchange;
}

/** Returns the latest exchange of a connection, or undefined if the connection has had no request yet. */
export function lastExchange(socket: EdgeSocket): Exchange | undefined {
  return socket[LAST];
}
