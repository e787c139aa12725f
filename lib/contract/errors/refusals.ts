import type { OperationId } from '../operations';
import type { ApiErrorCode } from './api-errors';
import { type ErrorReason, reasonsOf } from './reasons';

/** The refusals of one operation: each code with the reasons that it may carry there. */
export type Refusals = Partial<Record<ApiErrorCode, readonly ErrorReason[]>>;

const NAMING = ['listSpecialists', 'listAvailability', 'createBooking', 'readBooking'] as const;
const CHANGES = ['cancelBooking', 'rescheduleBooking'] as const;

/** The operations that can respond with each code (contract A, B2, B3). */
const OPERATIONS_OF: Record<ApiErrorCode, readonly OperationId[] | 'all'> = {
  invalid_api_key: 'all',
  credential_restricted: 'all',
  insufficient_scope: 'all',
  invalid_request: 'all',
  rate_limited: 'all',
  service_unavailable: 'all',
  not_found: [...NAMING, ...CHANGES],
  booking_unavailable: ['createBooking', ...CHANGES],
  idempotency_key_reused: ['createBooking', ...CHANGES],
  booking_version_conflict: CHANGES,
};

const CODES = Object.keys(OPERATIONS_OF) as (keyof typeof OPERATIONS_OF)[];

/** Returns every code that an operation may respond with, each with its reasons there (contract A, B2, B3). */
export function refusalsOf({ id }: { id: OperationId }): Refusals {
  const codes = CODES.filter((code) => OPERATIONS_OF[code] === 'all' || OPERATIONS_OF[code].includes(id));
  return Object.fromEntries(codes.map((code) => [code, reasonsOf(code, id)]));
}
