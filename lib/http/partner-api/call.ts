import type { IncomingHttpHeaders } from 'node:http';
import type { Policy } from '@/lib/access/applications/policy';
import type { Resolved } from '@/lib/booking/bookings/partner-write';
import { newId } from '@/lib/platform/ids';
import type { Quota } from '@/lib/platform/rate-limit/rate-limit';
import type { Work } from '../overload/work';

/**
 * The headers in which the edge passes trusted values to the pipeline. If a client sends such a header, the edge
 * overwrites it.
 */
export const EDGE_HEADERS = { method: 'x-edge-method', target: 'x-edge-target', address: 'x-edge-address' } as const;

/** A request in the form in which the pipeline receives it, either from the edge or from the adapter for Next.js. */
export type Incoming = {
  /** The value of `performance.now()` when the request arrived. */
  begun: number;
  /** The headers by lowercase name. `headerOf` returns the value of one header. */
  headers: IncomingHttpHeaders;
  /** The method as the client sent it. */
  method: string;
  /**
   * The raw path (`path`) and the raw query (`search`), both without decoding. The query does not include the question
   * mark.
   */
  path: string;
  search: string;
  /** The client's address (contract B2). */
  address: string;
  /** An object that identifies the client's connection, if it is known. */
  connection?: object;
  /**
   * Returns the body. Can be called only once.
   * @throws AppError invalid_request if the body is larger than `max` bytes or cannot be read.
   */
  readBytes: (max: number) => Promise<Uint8Array>;
};

/** The state of one request in the pipeline. The response headers and the log entry are built from it. */
export type Call = Incoming & {
  requestId: string;
  at: Date;
  /** The pattern of the route. Null until the route is known. */
  route: string | null;
  policy: Policy | null;
  /** The quota for the X-RateLimit headers. */
  quota: Quota | null;
  /**
   * Whether the request was refused by authentication or a restriction. Such a refusal counts against the client's
   * address (contract B2).
   */
  refused: boolean;
  /** The request's work in flight. Null until the request counts as work in flight. */
  work: Work | null;
  /** Whether the response is complete. Even then, a step that timed out may still be running. */
  responded: boolean;
  /** Additional fields of the log entry. Each field is set by the step that determines its value. */
  bookingReference: string | null;
  externalReference: string | null;
  /** The hash of the idempotency key in hexadecimal. */
  idempotencyKeyHash: string | null;
  replayedFrom: string | null;
  /**
   * The body of a write as parsed JSON, before validation, and what the write resolved. The log entry of a refused
   * write is built from both.
   */
  body: unknown;
  resolved: Resolved | null;
};

/**
 * Creates the call of a request. The request id is always generated here. An id from the client is never used
 * (contract A).
 */
export function beginCall(incoming: Incoming, now: Date): Call {
  const { begun, headers, method, path, search, address, connection, readBytes } = incoming;
  return {
    requestId: newId('req'),
    at: now,
    begun,
    headers,
    method,
    path,
    search,
    address,
    connection,
    readBytes,
    route: null,
    policy: null,
    quota: null,
    refused: false,
    work: null,
    responded: false,
    bookingReference: null,
    externalReference: null,
    idempotencyKeyHash: null,
    replayedFrom: null,
    body: undefined,
    resolved: null,
  };
}

/** Returns the value of a header, or null if the request does not have the header. */
export function headerOf({ headers }: Pick<Incoming, 'headers'>, name: string): string | null {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}
