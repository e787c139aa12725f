import type { Policy } from '@/lib/access/applications/policy';
import { newId } from '@/lib/platform/ids';
import type { Quota } from '@/lib/platform/rate-limit/rate-limit';

/** The headers in which the edge tells the pipeline what it knows; it drops what a client sends under these names. */
export const EDGE_HEADERS = { method: 'x-edge-method', target: 'x-edge-target', address: 'x-edge-address' } as const;

/** One request on its way through the pipeline: what is known so far, for the answer's headers and the log line. */
export type Call = {
  requestId: string;
  at: Date;
  /** `performance.now()` when the request came in. */
  begun: number;
  headers: Headers;
  /** As the client sent it. */
  method: string;
  /** Raw path and query, never decoded. */
  path: string;
  search: string;
  /** The real peer's address (contract B2). */
  address: string;
  /** Pattern of the route, once known. */
  route: string | null;
  policy: Policy | null;
  /** What the X-RateLimit headers will say. */
  quota: Quota | null;
  /** What the log line will say beside that; each is set by the step that knows it. */
  bookingReference: string | null;
  externalReference: string | null;
  /** Hexadecimal. */
  idempotencyKeyHash: string | null;
  replayedFrom: string | null;
};

/** Returns the call of a request that the edge handed over. Its id is ours, never the client's (contract A). */
export function beginCall(request: Request, now: Date): Call {
  const { headers } = request;
  const target = headers.get(EDGE_HEADERS.target) ?? '/';
  const mark = target.indexOf('?');
  return {
    requestId: newId('req'),
    at: now,
    begun: performance.now(),
    headers,
    method: headers.get(EDGE_HEADERS.method) ?? request.method,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? '' : target.slice(mark + 1),
    address: headers.get(EDGE_HEADERS.address) ?? 'unknown',
    route: null,
    policy: null,
    quota: null,
    bookingReference: null,
    externalReference: null,
    idempotencyKeyHash: null,
    replayedFrom: null,
  };
}
