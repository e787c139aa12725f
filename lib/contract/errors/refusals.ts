import type { Operation } from '../operations';
import { API_ERRORS, type ApiErrorCode, type ApiErrorReason } from './api-errors';

/** The refusals of one operation: code → the reasons it may carry there; an empty list means none. */
export type Refusals = Partial<Record<ApiErrorCode, readonly ApiErrorReason[]>>;

const SLOT = [
  'service_unpublished',
  'specialist_unavailable',
  'nonexistent_local_time',
  'lead_time',
  'max_advance',
  'outside_schedule',
  'slot_taken',
] as const;
const CHANGE = ['booking_not_active', 'outside_cancellation_window'] as const;
const WRITE = ['unknown_field', 'idempotency_key_required'] as const;
const POLICY = ['suspended', 'ip', 'origin'] as const;

/** What every operation may answer (contract B2): steps 2 to 6. */
const COMMON = {
  invalid_api_key: API_ERRORS.invalid_api_key.reasons,
  credential_restricted: POLICY,
  insufficient_scope: [],
  invalid_request: ['unknown_field'],
  rate_limited: [],
  service_unavailable: [],
} as const satisfies Refusals;

/** Of an operation that names records of the tenant (contract B3). */
const NAMED = { ...COMMON, credential_restricted: [...POLICY, 'location'], not_found: [] } as const satisfies Refusals;

const ALL: Record<string, Refusals> = {
  listCatalog: { ...COMMON, invalid_request: ['unknown_field', 'cursor_mismatch'] },
  listSpecialists: { ...NAMED, invalid_request: ['unknown_field', 'cursor_mismatch'] },
  listAvailability: { ...NAMED, invalid_request: ['unknown_field', 'cursor_mismatch', 'location_required'] },
  createBooking: {
    ...NAMED,
    invalid_request: [...WRITE, 'location_required', 'sensitive_reference'],
    booking_unavailable: SLOT,
    idempotency_key_reused: [],
  },
  readBooking: NAMED,
  cancelBooking: {
    ...NAMED,
    invalid_request: WRITE,
    booking_unavailable: CHANGE,
    idempotency_key_reused: [],
    booking_version_conflict: [],
  },
  rescheduleBooking: {
    ...NAMED,
    invalid_request: WRITE,
    booking_unavailable: [...CHANGE, 'same_slot', ...SLOT],
    idempotency_key_reused: [],
    booking_version_conflict: [],
  },
};

/** Returns every code that an operation may answer, with its reasons there (contract A, B2, B3). */
export function refusalsOf({ id }: Pick<Operation, 'id'>): Refusals {
  return ALL[id] ?? COMMON;
}
