import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What is one per server: its settings and whether it is going down. */
export type Edge = {
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  trustedProxies: number;
  draining: boolean;
};

/** One request and its answer. */
export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  method: string;
  /** The socket's other end, kept from one exchange of a connection to the next. */
  peer: string;
  /** The client's address: the peer's, unless that is a trusted proxy. */
  address: string;
  /** `performance.now()` when the headers were in. */
  begun: number;
  /** The answer owes the contract's headers. */
  partner: boolean;
  /** The edge answers; what Next writes goes nowhere. */
  taken: boolean;
};

const LAST = Symbol('last exchange');

type EdgeSocket = Duplex & { [LAST]?: Exchange };

/** Notes the newest exchange of a connection: an error on the connection concerns it or what comes after it. */
export function noteExchange(socket: EdgeSocket, exchange: Exchange): void {
  socket[LAST] = exchange;
}

/** Returns the newest exchange of a connection. */
export function lastExchange(socket: EdgeSocket): Exchange | undefined {
  return socket[LAST];
}
