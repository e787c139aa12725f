/** In the contract's formats. Values of a cancellation and of a reschedule can be those of the existing booking. */
export type Refused = {
  service_id?: string;
  location_id?: string;
  specialist_id?: string;
  date?: string;
  start_time?: string;
};

/** An entry of the request log (architecture 4). It must not contain bodies, contacts, or credentials. */
export type LogEntry = {
  request_id: string;
  /** UTC, in ISO 8601 format. */
  at: string;
  tenant_id: string | null;
  application_id: string | null;
  key_id: string | null;
  method: string;
  /** Null if the route is unknown. */
  route: string | null;
  /** Null for an unknown route, whose path may contain personal data. */
  path: string | null;
  status: number;
  code: string | null;
  reason: string | null;
  invalid_fields: string[];
  duration_ms: number;
  address: string | null;
  origin: string | null;
  user_agent: string | null;
  /** In hexadecimal. */
  idempotency_key_hash: string | null;
  replayed_from: string | null;
  booking_reference: string | null;
  /** Of the booking, or of the request for a refused creation or a forced 503 (contract B13). */
  external_reference: string | null;
  /** Null unless a booking write was refused with a 4xx. */
  refused: Refused | null;
};
