import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OperationId } from '@/lib/contract/operations';
import type { Respond } from '../partner-api/partner-route';

/** The routes of the partner API; `unknown` is the catch-all. */
export type Routes = Readonly<Record<OperationId | 'unknown', Respond>>;

/** The state of one server. */
export type Edge = {
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** Called for partner requests. Without routes, Next responds to them. */
  routes?: Routes;
  trustedProxies: number;
  draining: boolean;
  /** Returns the largest body, in bytes, that the application takes on a path outside the partner API. */
  maximumBody?: (path: string) => number;
};

/** One request and its response. */
export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  method: string;
  /** The socket's remote address, computed once per connection. */
  peer: string;
  /** The client's address: the peer's, or the one that trusted proxies report. */
  address: string;
  /** `performance.now()` when the headers were received. */
  begun: number;
  /** The request is for the partner API; its response must have the contract's headers. */
  partner: boolean;
  /** The edge sends the response; Next's output is discarded. */
  replaced: boolean;
};

const LAST = Symbol('last exchange');

type EdgeSocket = Duplex & { [LAST]?: Exchange };

/** Records the latest exchange of a connection. A connection error concerns this exchange or a later one. */
export function noteExchange(socket: EdgeSocket, exchange: Exchange): void {
  socket[LAST] = exchange;
}

/** Returns the latest exchange of a connection. */
export function lastExchange(socket: EdgeSocket): Exchange | undefined {
  return socket[LAST];
}
