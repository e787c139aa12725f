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
  /** Handles the requests outside the partner API. */
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  routes: Routes;
  operatorRoutes: OperatorRoutes;
  trustedProxies: number;
  /** Whether Inngest sends requests to this server. */
  inngest: boolean;
  draining: boolean;
};

export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  method: string;
  /** The client's address: the address that trusted proxies report, otherwise that of the connection. */
  address: string;
  /** When the edge began to handle the request, as a value of `performance.now()`. */
  begun: number;
  /** Whether the edge sends an error instead of the response of the route or of Next.js (see `refuse`). */
  replaced: boolean;
};

const last = new WeakMap<Duplex, Exchange>();

/**
 * Records the latest exchange of a connection. If an error of the connection occurs later, it concerns this exchange or
 * a request that arrived after it.
 */
export function noteExchange(socket: Duplex, exchange: Exchange): void {
  last.set(socket, exchange);
}

/** Returns the latest exchange of a connection, or undefined if the connection has had no exchange. */
export function lastExchange(socket: Duplex): Exchange | undefined {
  return last.get(socket);
}
