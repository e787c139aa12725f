import type { ApiErrorCode } from '@/lib/contract/errors/api-errors';
import type { ErrorReason } from '@/lib/contract/errors/reasons';
import type { OperationId } from '@/lib/contract/operations';

/** A copy of contract A. Tests compare `lib` with it to detect a change of the contract. */
export const API_STATUSES: Readonly<Record<ApiErrorCode, number>> = {
  invalid_api_key: 401,
  insufficient_scope: 403,
  credential_restricted: 403,
  invalid_request: 400,
  booking_unavailable: 409,
  not_found: 404,
  idempotency_key_reused: 409,
  booking_version_conflict: 409,
  endpoint_unavailable: 409,
  rate_limited: 429,
  service_unavailable: 503,
};

const READS: readonly OperationId[] = [
  'listCatalog',
  'listSpecialists',
  'listAvailability',
  'listAvailabilityDays',
  'explainAvailability',
  'listBookings',
  'readBooking',
  'digestBookings',
  'listEvents',
  'readMe',
];
const SANDBOX: readonly OperationId[] = ['setTestClock', 'runOwnerAction', 'reportConformance', 'checkSignature'];
const WRITES: readonly OperationId[] = ['createBooking', 'cancelBooking', 'rescheduleBooking'];
const ALL: readonly OperationId[] = [
  ...READS,
  ...WRITES,
  'sendTestEvent',
  'putBusyTime',
  'deleteBusyTime',
  ...SANDBOX,
  'readReadiness',
];
const BOOKING: readonly OperationId[] = ['createBooking', 'rescheduleBooking', 'runOwnerAction'];
const CHANGES: readonly OperationId[] = ['cancelBooking', 'rescheduleBooking'];

/** Repeats contract A on purpose (see `API_STATUSES`). */
export const API_REASONS: Readonly<Record<ErrorReason, readonly [ApiErrorCode, readonly OperationId[]]>> = {
  missing: ['invalid_api_key', ALL],
  wrong_environment: ['invalid_api_key', ALL],
  malformed: ['invalid_api_key', ALL],
  failed_authentication: ['rate_limited', ALL],
  suspended: ['credential_restricted', ALL],
  ip: ['credential_restricted', ALL],
  origin: ['credential_restricted', ALL],
  location: [
    'credential_restricted',
    [
      'listSpecialists',
      'listAvailability',
      'listAvailabilityDays',
      'explainAvailability',
      'listBookings',
      'readBooking',
      ...WRITES,
      'putBusyTime',
      'runOwnerAction',
    ],
  ],
  unknown_field: ['invalid_request', ALL],
  cursor_mismatch: [
    'invalid_request',
    ['listCatalog', 'listSpecialists', 'listAvailability', 'explainAvailability', 'listBookings'],
  ],
  events_expired: ['invalid_request', ['listEvents']],
  sequence_unknown: ['invalid_request', ['listEvents']],
  idempotency_key_required: ['invalid_request', [...WRITES, 'sendTestEvent', 'putBusyTime', ...SANDBOX]],
  location_required: ['invalid_request', ['listAvailability', 'explainAvailability', 'createBooking']],
  sensitive_reference: ['invalid_request', ['createBooking']],
  unknown_route: ['not_found', []],
  booking_not_active: ['booking_unavailable', [...CHANGES, 'runOwnerAction']],
  outside_cancellation_window: ['booking_unavailable', CHANGES],
  not_started: ['booking_unavailable', ['runOwnerAction']],
  not_reopenable: ['booking_unavailable', ['runOwnerAction']],
  same_slot: ['booking_unavailable', ['rescheduleBooking', 'runOwnerAction']],
  service_unpublished: ['booking_unavailable', BOOKING],
  specialist_unavailable: ['booking_unavailable', BOOKING],
  nonexistent_local_time: ['booking_unavailable', BOOKING],
  lead_time: ['booking_unavailable', BOOKING],
  max_advance: ['booking_unavailable', BOOKING],
  off_grid: ['booking_unavailable', BOOKING],
  outside_schedule: ['booking_unavailable', BOOKING],
  slot_taken: ['booking_unavailable', BOOKING],
  no_endpoint: ['endpoint_unavailable', ['sendTestEvent', 'checkSignature']],
  endpoint_paused: ['endpoint_unavailable', ['sendTestEvent', 'checkSignature']],
  endpoint_disabled: ['endpoint_unavailable', ['sendTestEvent', 'checkSignature']],
};
