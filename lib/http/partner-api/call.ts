import type { IncomingHttpHeaders } from 'node:http';
import type { Policy } from '@/lib/access/applications/policy';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import type { Resolved } from '@/lib/booking/bookings/partner-write';
import { newId } from '@/lib/platform/ids';
import type { Quota } from '@/lib/platform/rate-limit/rate-limit';

/** The edge passes trusted values to Next.js in these headers, and overwrites them if a client sends them. */
export const EDGE_HEADERS = { method: 'x-edge-method', target: 'x-edge-target', address: 'x-edge-address' } as const;

export type Incoming = {
  /** Unit and origin of `performance.now()`. */
  begun: number;
  headers: IncomingHttpHeaders;
  method: string;
  /** Not decoded. */
  path: string;
  /** Not decoded, without the question mark. */
  search: string;
  address: string;
  /** Call once. @throws AppError invalid_request if the body is larger than `max` bytes or cannot be read. */
  readBytes: (max: number) => Promise<Uint8Array>;
};

export type Call = Incoming & {
  requestId: string;
  /** Real time, for the log. */
  at: Date;
  route: string | null;
  policy: Policy | null;
  /** If null, the X-RateLimit headers show the quota of the client's address. */
  quota: Quota | null;
  /** Whether the request counts against the failure quota of the client's address (contract B2). */
  refused: boolean;
  endWork: (() => void) | null;
  /** After a timeout, a step of the pipeline can still be running. */
  responded: boolean;
  bookingReference: string | null;
  externalReference: string | null;
  /** In hexadecimal. */
  idempotencyKeyHash: string | null;
  replayedFrom: string | null;
  /** The parsed JSON of a write, not validated. A refused write logs it. */
  body: unknown;
  resolved: Resolved | null;
  /** Committed together with the change of a write. If the transaction runs again, the new run replaces it. */
  entry: LogEntry | null;
};

/** Creates the `Call` for a request. A request id that the client sends is ignored (contract A). */
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

/** Returns the value of a header, or null. */
export function headerOf({ headers }: Pick<Incoming, 'headers'>, name: string): string | null {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}
