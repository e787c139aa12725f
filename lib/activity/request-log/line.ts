/** One line of the request log (architecture 4). Never bodies, contacts or credentials. */
export type RequestLine = {
  request_id: string;
  /** ISO 8601 UTC. */
  at: string;
  tenant_id: string | null;
  application_id: string | null;
  key_id: string | null;
  method: string;
  /** Pattern of a known route, else null. */
  route: string | null;
  /** Path of a known route, else null: an unknown path may hold anything. */
  path: string | null;
  status: number;
  code: string | null;
  reason: string | null;
  invalid_fields: string[];
  duration_ms: number;
  address: string | null;
  origin: string | null;
  user_agent: string | null;
  /** Hexadecimal. */
  idempotency_key_hash: string | null;
  replayed_from: string | null;
  booking_reference: string | null;
  external_reference: string | null;
};
