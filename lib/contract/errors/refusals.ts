import type { OperationId } from '../operations';
import type { ApiErrorCode } from './api-errors';
import { type ErrorReason, reasonsOf } from './reasons';

/** An operation's possible refusals: each code with its reasons. */
export type Refusals = Partial<Record<ApiErrorCode, readonly ErrorReason[]>>;

/** All but `readMe`, which needs no scope. */
const SCOPED = [
  'listCatalog',
  'listSpecialists',
  'listAvailability',
  'listAvailabilityDays',
  'explainAvailability',
  'createBooking',
  'listBookings',
  'readBooking',
  'cancelBooking',
  'rescheduleBooking',
  'sendTestEvent',
  'digestBookings',
  'listEvents',
  'putBusyTime',
  'deleteBusyTime',
  'setTestClock',
  'runOwnerAction',
  'readReadiness',
  'reportConformance',
  'checkSignature',
] as const;
const CHANGES = ['cancelBooking', 'rescheduleBooking'] as const;

/** The operations that can respond with each code (contract A, B2, B3). */
const OPERATIONS_OF: Record<ApiErrorCode, readonly OperationId[] | 'all'> = {
  invalid_api_key: 'all',
  credential_restricted: 'all',
  insufficient_scope: SCOPED,
  invalid_request: 'all',
  rate_limited: 'all',
  service_unavailable: 'all',
  not_found: [
    'listSpecialists',
    'listAvailability',
    'explainAvailability',
    'listAvailabilityDays',
    'createBooking',
    'listBookings',
    'readBooking',
    ...CHANGES,
    'putBusyTime',
    'runOwnerAction',
  ],
  booking_unavailable: ['createBooking', ...CHANGES, 'runOwnerAction'],
  idempotency_key_reused: [
    'createBooking',
    ...CHANGES,
    'sendTestEvent',
    'putBusyTime',
    'setTestClock',
    'runOwnerAction',
    'reportConformance',
    'checkSignature',
  ],
  booking_version_conflict: [...CHANGES, 'putBusyTime'],
  endpoint_unavailable: ['sendTestEvent', 'checkSignature'],
};

const CODES = Object.keys(OPERATIONS_OF) as (keyof typeof OPERATIONS_OF)[];

/** Returns an operation's possible refusals (contract A, B2, B3). */
export function refusalsOf({ id }: { id: OperationId }): Refusals {
  const codes = CODES.filter((code) => OPERATIONS_OF[code] === 'all' || OPERATIONS_OF[code].includes(id));
  return Object.fromEntries(codes.map((code) => [code, reasonsOf(code, id)]));
}
