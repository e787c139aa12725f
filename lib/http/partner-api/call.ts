import type { IncomingHttpHeaders } from 'node:http';
import type { Policy } from '@/lib/access/applications/policy';
import { newId } from '@/lib/platform/ids';
import type { Quota } from '@/lib/platform/rate-limit/rate-limit';

/**
 * The headers in which the edge passes trusted values to the pipeline. The edge overwrites any values that a client
 * sent.
 */
export const EDGE_HEADERS = { method: 'x-edge-method', target: 'x-edge-target', address: 'x-edge-address' } as const;

/** A request in the form in which the edge, or the adapter for Next, passes it to the pipeline. */
export type Incoming = {
  /** The value of `performance.now()` when the request arrived. */
  begun: number;
  /** The headers by lowercase name. `headerOf` returns the value of one. */
  headers: IncomingHttpHeaders;
  /** The method as the client sent it. */
  method: string;
  /** The raw path and the raw query, without decoding. The query has no question mark. */
  path: string;
  search: string;
  /** The client's address (contract B2). */
  address: string;
  /**
   * Returns the body. May be called only once.
   * @throws AppError invalid_request if the body is larger than `max` bytes or cannot be read.
   */
  readBytes: (max: number) => Promise<Uint8Array>;
};

/** The state of one request in the pipeline. The response headers and the log entry are built from it. */
export type Call = Incoming & {
  requestId: string;
  at: Date;
  /** The pattern of the route; null until the route is known. */
  route: string | null;
  policy: Policy | null;
  /** The quota for the X-RateLimit headers. */
  quota: Quota | null;
  /**
   * Whether authentication or a restriction refused the request. Such a request counts against the client's address
   * (contract B2).
   */
  refused: boolean;
  /** Ends the work in flight that the request counts as. */
  endWork: (() => void) | null;
  /** Whether the response is complete. A step that timed out may still be running. */
  responded: boolean;
  /** Additional fields of the log entry. Each is set by the step that determines its value. */
  bookingReference: string | null;
  externalReference: string | null;
  /** The hash of the idempotency key in hexadecimal. */
  idempotencyKeyHash: string | null;
  replayedFrom: string | null;
};

/**
 * Creates the call of a request. The request id is always generated here and never taken from the client (contract A).
 */
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
