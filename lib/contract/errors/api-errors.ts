/** One code of the error table: its status, its fixed words, what the caller does, and the reasons it may carry. */
type ApiError = { status: number; message: string; remedy: string; reasons: readonly string[] };

/** The error table of the public API (contract A, B3): the one source for answers, OpenAPI and documentation. */
export const API_ERRORS = {
  invalid_api_key: {
    status: 401,
    message: 'The API key is missing, malformed, unknown, expired or revoked.',
    remedy: 'Rotate the key or select the correct environment. Try no other tenant selector.',
    reasons: ['missing', 'wrong_environment'],
  },
  insufficient_scope: {
    status: 403,
    message: 'The application lacks the scope of this route.',
    remedy: 'Have the owner change the policy of your application.',
    reasons: [],
  },
  credential_restricted: {
    status: 403,
    message: 'A restriction of the application applies.',
    remedy: 'Have the owner change the policy of your application.',
    reasons: ['suspended', 'ip', 'origin', 'location'],
  },
  invalid_request: {
    status: 400,
    message: 'The request is invalid.',
    remedy: 'Correct the fields that the answer names.',
    reasons: [
      'location_required',
      'sensitive_reference',
      'unknown_field',
      'cursor_mismatch',
      'idempotency_key_required',
    ],
  },
  booking_unavailable: {
    status: 409,
    message: 'The booking cannot be made or changed as requested.',
    remedy: 'Read current availability. Keep the idempotency key only for the same logical write.',
    reasons: [
      'service_unpublished',
      'specialist_unavailable',
      'nonexistent_local_time',
      'lead_time',
      'max_advance',
      'outside_schedule',
      'slot_taken',
      'booking_not_active',
      'outside_cancellation_window',
      'same_slot',
    ],
  },
  not_found: {
    status: 404,
    message: 'No such record for this application.',
    remedy: 'Do not infer tenant state. Do not retry with another tenant selector.',
    reasons: [],
  },
  idempotency_key_reused: {
    status: 409,
    message: 'This idempotency key was used with a different request.',
    remedy: 'Start a new logical operation with a new key.',
    reasons: [],
  },
  booking_version_conflict: {
    status: 409,
    message: 'The booking has changed since this version.',
    remedy: 'Read the booking again and use its latest version.',
    reasons: [],
  },
  rate_limited: {
    status: 429,
    message: 'The quota is exceeded. Wait for Retry-After.',
    remedy: 'Wait for Retry-After, then retry with bounded backoff.',
    reasons: [],
  },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable. Retry with backoff.',
    remedy: 'Retry with bounded exponential backoff and jitter. Keep the idempotency key only for the same write.',
    reasons: [],
  },
} as const satisfies Record<string, ApiError>;

/** A code of the public API. */
export type ApiErrorCode = keyof typeof API_ERRORS;

/** A stable machine-readable word that narrows a code (contract B3). */
export type ApiErrorReason = (typeof API_ERRORS)[ApiErrorCode]['reasons'][number];
