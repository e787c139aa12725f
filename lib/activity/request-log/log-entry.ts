/**
 * What a refused booking write requested, in the contract's formats. For a reschedule, the service and location are
 * those of the existing booking. For a cancellation, all values are those of the existing booking.
 */
export type Refused = {
  service_id?: string;
  location_id?: string;
  specialist_id?: string;
  date?: string;
  start_time?: string;
};

/** An entry of the request log (architecture 4). An entry must not contain bodies, contacts, or credentials. */
export type LogEntry = {
  request_id: string;
  /** UTC, in ISO 8601 format. */
  at: string;
  tenant_id: string | null;
  application_id: string | null;
  key_id: string | null;
  method: string;
  /** Pattern of the route. Null if the route is unknown. */
  route: string | null;
  /** Path of a known route. Null for an unknown route, whose path may contain personal data. */
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
  /**
   * The external reference of a booking write. For a refused creation, this is the reference in the request. For any
   * other write, it is the reference of the booking.
   */
  external_reference: string | null;
  /** Set only if the request was a booking write that was refused with a 4xx; otherwise null. */
  refused: Refused | null;
};
