import type { Policy } from '@/lib/access/applications/policy';
import { newId } from '@/lib/platform/ids';
import type { Quota } from '@/lib/platform/rate-limit/rate-limit';

/** The headers in which the edge passes trusted values to the pipeline. The edge overwrites a client's values. */
export const EDGE_HEADERS = { method: 'x-edge-method', target: 'x-edge-target', address: 'x-edge-address' } as const;

/** The state of one request in the pipeline, from which the response headers and the log entry are built. */
export type Call = {
  requestId: string;
  at: Date;
  /** `performance.now()` when the request arrived. */
  begun: number;
  headers: Headers;
  /** As the client sent it. */
  method: string;
  /** Raw path and query, not decoded. */
  path: string;
  search: string;
  /** The client's address (contract B2). */
  address: string;
  /** Pattern of the route, once resolved. */
  route: string | null;
  policy: Policy | null;
  /** For the X-RateLimit headers. */
  quota: Quota | null;
  /** Further fields of the log entry; each is set by the step that determines it. */
  bookingReference: string | null;
  externalReference: string | null;
  /** Hexadecimal. */
  idempotencyKeyHash: string | null;
  replayedFrom: string | null;
};

/** Returns the call of a request from the edge. The request id is always generated here (contract A). */
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
