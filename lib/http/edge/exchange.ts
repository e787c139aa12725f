import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Respond } from '../partner-api/web';
import type { OperatorPath, PartnerRouteId } from './target';

export type Routes = Readonly<Record<PartnerRouteId, Respond>>;

export type OperatorRoutes = Readonly<Record<OperatorPath, Respond>>;

export type Edge = {
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  routes: Routes;
  operatorRoutes: OperatorRoutes;
  trustedProxies: number;
  inngest: boolean;
  draining: boolean;
};

export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  method: string;
  address: string;
  /** Unit and origin of `performance.now()`. */
  begun: number;
  replaced: boolean;
};

const last = new WeakMap<Duplex, Exchange>();

/** Records the latest exchange of a connection. A later error concerns this exchange or the request after it. */
export function noteExchange(socket: Duplex, exchange: Exchange): void {
  last.set(socket, exchange);
}

/** Returns the latest exchange of a connection. */
export function lastExchange(socket: Duplex): Exchange | undefined {
  return last.get(socket);
}
