import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OperationId } from '@/lib/contract/operations';
import type { Respond } from '../partner-api/partner-route';

/** The routes of the partner API; `unknown` is the catch-all. */
export type Routes = Readonly<Record<OperationId | 'unknown', Respond>>;

/** The state of one server. */
export type Edge = {
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** The routes of partner requests. Without them, the edge passes partner requests to Next. */
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
  /** The socket's remote address, computed once per connection. */
  peer: string;
  /** The client's address: the peer's address, or the address that trusted proxies report. */
  address: string;
  /** The value of `performance.now()` when the edge began to handle the request. */
  begun: number;
  /** Whether the request is for the partner API. If so, its response must have the contract's headers. */
  partner: boolean;
  /** Whether the edge sends the response itself. If so, Next's output is discarded. */
  replaced: boolean;
};

const LAST = Symbol('last exchange');

type EdgeSocket = Duplex & { [LAST]?: Exchange };

/**
 * Records the latest exchange of a connection. A later connection error concerns either this exchange or a request
 * after it.
 */
export function noteExchange(socket: EdgeSocket, exchange: Exchange): void {
  socket[LAST] = exchange;
}

/** Returns the latest exchange of a connection. */
export function lastExchange(socket: EdgeSocket): Exchange | undefined {
  return socket[LAST];
}
