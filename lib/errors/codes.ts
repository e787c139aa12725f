/** The error table of the public API (contract A, B3): code → status, message, level of the log line. */
const API_ERROR_CODES = {
  invalid_api_key: {
    status: 401,
    message: 'The API key is missing, malformed, unknown, expired or revoked.',
    level: 'info',
  },
  insufficient_scope: { status: 403, message: 'The application lacks the scope of this route.', level: 'info' },
  credential_restricted: { status: 403, message: 'A restriction of the application applies.', level: 'info' },
  invalid_request: { status: 400, message: 'The request is invalid.', level: 'info' },
  booking_unavailable: { status: 409, message: 'The booking cannot be made or changed as requested.', level: 'info' },
  not_found: { status: 404, message: 'No such record for this application.', level: 'info' },
  idempotency_key_reused: {
    status: 409,
    message: 'This idempotency key was used with a different request.',
    level: 'info',
  },
  booking_version_conflict: { status: 409, message: 'The booking has changed since this version.', level: 'info' },
  rate_limited: { status: 429, message: 'The quota is exceeded. Wait for Retry-After.', level: 'info' },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable. Retry with backoff.',
    level: 'error',
  },
} as const;

/** What only the Control Center answers. */
const WORKSPACE_ERROR_CODES = {
  sign_in_required: { status: 401, message: 'Sign in to go on.', level: 'info' },
  forbidden: { status: 403, message: 'Your role does not allow this.', level: 'info' },
  version_conflict: { status: 409, message: 'Somebody else changed this meanwhile.', level: 'info' },
} as const;

/** Every error there is: REST and tRPC answer from one table. */
export const ERROR_CODES = { ...API_ERROR_CODES, ...WORKSPACE_ERROR_CODES };

/** A stable machine-readable word of the error table. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The reasons that a code may carry (contract B3). */
export type ErrorReason =
  | 'service_unpublished'
  | 'specialist_unavailable'
  | 'nonexistent_local_time'
  | 'lead_time'
  | 'max_advance'
  | 'outside_schedule'
  | 'slot_taken'
  | 'booking_not_active'
  | 'outside_cancellation_window'
  | 'same_slot'
  | 'location_required'
  | 'sensitive_reference'
  | 'unknown_field'
  | 'cursor_mismatch'
  | 'idempotency_key_required'
  | 'suspended'
  | 'ip'
  | 'origin'
  | 'location'
  | 'missing'
  | 'wrong_environment';
