import type { IncomingHttpHeaders } from 'node:http';
import type { Policy } from '@/lib/access/applications/policy';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import type { Resolved } from '@/lib/booking/bookings/partner-write';
import { newId } from '@/lib/platform/ids';
import type { Quota } from '@/lib/platform/rate-limit/rate-limit';

/**
 * The headers with which the edge passes trusted values to Next.js. The edge overwrites such headers if a client sends
 * them.
 */
export const EDGE_HEADERS = { method: 'x-edge-method', target: 'x-edge-target', address: 'x-edge-address' } as const;

/** A request, as the pipeline gets it from the edge. */
export type Incoming = {
  /** When the request arrived, as a value of `performance.now()`. */
  begun: number;
  /** The headers by lowercase name. See `headerOf`. */
  headers: IncomingHttpHeaders;
  method: string;
  /** The raw path, not decoded. */
  path: string;
  /** The raw query, not decoded and without the question mark. */
  search: string;
  /** The client's address (contract B2). */
  address: string;
  /**
   * Returns the body of the request. Call this function only once.
   * @throws AppError invalid_request if the body is larger than `max` bytes or cannot be read.
   */
  readBytes: (max: number) => Promise<Uint8Array>;
};

/** The state of one request in the pipeline, for the response headers and the log entry. */
export type Call = Incoming & {
  requestId: string;
  at: Date;
  /** The pattern of the route. Null until the route is known. */
  route: string | null;
  policy: Policy | null;
  /** The quota for the X-RateLimit headers. If it is null, the headers show the quota of the client's address. */
  quota: Quota | null;
  /**
   * Whether the request failed the authentication or a restriction of the application. This failure counts against the
   * failure quota of the client's address (contract B2).
   */
  refused: boolean;
  /** Ends the work in flight that `beginWork` counts. Null if the request is not counted. */
  endWork: (() => void) | null;
  /** Whether the response has been determined. After a timeout, a step of the pipeline can still be running. */
  responded: boolean;
  /** Fields of the log entry. The steps of the pipeline set them. */
  bookingReference: string | null;
  externalReference: string | null;
  /** The hash of the idempotency key in hexadecimal. */
  idempotencyKeyHash: string | null;
  replayedFrom: string | null;
  /** The parsed JSON body of a write. It is not validated. If the write is refused, its log entry uses this value. */
  body: unknown;
  /** What is known so far about the booking of a write. If the write is refused, its log entry uses this value. */
  resolved: Resolved | null;
  /**
   * The log entry that a write commits together with its change. If the transaction runs again, the new run replaces
   * the entry.
   */
  entry: LogEntry | null;
};

/**
 * Creates the `Call` for a request, with a new request id. A request id that the client sends is ignored (contract A).
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
    body: undefined,
    resolved: null,
    entry: null,
  };
}

/** Returns the value of a header, or null if the request does not have this header. */
export function headerOf({ headers }: Pick<Incoming, 'headers'>, name: string): string | null {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}
