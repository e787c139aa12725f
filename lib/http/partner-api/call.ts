import type { IncomingHttpHeaders } from 'node:http';
import type { Policy } from '@/lib/access/applications/policy';
import { newId } from '@/lib/platform/ids';
import type { Quota } from '@/lib/platform/rate-limit/rate-limit';

/** The headers in which the edge passes trusted values to the pipeline. The edge overwrites a client's values. */
export const EDGE_HEADERS = { method: 'x-edge-method', target: 'x-edge-target', address: 'x-edge-address' } as const;

/** A request as the edge, or the adapter of Next, passes it to the pipeline. */
export type Incoming = {
  /** `performance.now()` when the request arrived. */
  begun: number;
  /** By lowercase name. Read a value with `headerOf`. */
  headers: IncomingHttpHeaders;
  /** As the client sent it. */
  method: string;
  /** Raw path and query, not decoded. */
  path: string;
  search: string;
  /** The client's address (contract B2). */
  address: string;
  /**
   * Returns the body, read once.
   * @throws AppError invalid_request if it is larger than `max` bytes or cannot be read.
   */
  readBytes: (max: number) => Promise<Uint8Array>;
};

/** The state of one request in the pipeline, from which the response headers and the log entry are built. */
export type Call = Incoming & {
  requestId: string;
  at: Date;
  /** Pattern of the route, once resolved. */
  route: string | null;
  policy: Policy | null;
  /** For the X-RateLimit headers. */
  quota: Quota | null;
  /** Authentication or a restriction refused the request, and it counts against the address (contract B2). */
  refused: boolean;
  /** Ends the work that the call counts as. */
  endWork: (() => void) | null;
  /** The response is complete; a step that timed out may still run. */
  responded: boolean;
  /** Further fields of the log entry; each is set by the step that determines it. */
  bookingReference: string | null;
  externalReference: string | null;
  /** Hexadecimal. */
  idempotencyKeyHash: string | null;
  replayedFrom: string | null;
};

/** Returns the call of a request. The request id is always generated here (contract A). */
export function beginCall(incoming: Incoming, now: Date): Call {
  const { begun, headers, method, path, search, address, readBytes } = incoming;
  return {
    requestId: newId('req'),
    at: now,
    begun,
    headers,
    method,
    path,
    search,
    address,
    readBytes,
    route: null,
    policy: null,
    quota: null,
    refused: false,
    endWork: null,
    responded: false,
    bookingReference: null,
    externalReference: null,
    idempotencyKeyHash: null,
    replayedFrom: null,
  };
}

/** Returns the value of a header, or null if the request has none. */
export function headerOf({ headers }: Pick<Incoming, 'headers'>, name: string): string | null {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}
