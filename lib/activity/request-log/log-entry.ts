/** An entry of the request log (architecture 4). It must not contain bodies, contacts, or credentials. */
export type LogEntry = {
  request_id: string;
  /** The time of the request in ISO 8601 UTC. */
  at: string;
  tenant_id: string | null;
  application_id: string | null;
  key_id: string | null;
  method: string;
  /** Pattern of a known route; null for an unknown route. */
  route: string | null;
  /** Path of a known route; null for an unknown route, because its path may contain personal data. */
  path: string | null;
  status: number;
  code: string | null;
  reason: string | null;
  invalid_fields: string[];
  duration_ms: number;
  address: string | null;
  origin: string | null;
  user_agent: string | null;
  /** The keyed hash of the idempotency key, in hexadecimal. */
  idempotency_key_hash: string | null;
  replayed_from: string | null;
  booking_reference: string | null;
  external_reference: string | null;
};
