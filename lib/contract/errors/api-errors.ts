type ApiError = {
  status: number;
  message: string;
  advice: string;
  reasonRequired: boolean;
};

/** The error table of the public API (contract A, B3). Responses, OpenAPI, and the documentation use it. */
export const API_ERRORS = {
  invalid_api_key: {
    status: 401,
    message: 'The API key is missing, malformed, unknown, expired, or revoked.',
    advice:
      'Check that the key belongs to this environment, or ask the owner to rotate the key. The key alone selects the business: no header or parameter does.',
    reasonRequired: false,
  },
  insufficient_scope: {
    status: 403,
    message: 'The application lacks the scope that this route requires.',
    advice: "Ask the owner to change your application's policy.",
    reasonRequired: false,
  },
  credential_restricted: {
    status: 403,
    message: 'A restriction of the application does not allow this request.',
    advice: "Ask the owner to change your application's policy.",
    reasonRequired: true,
  },
  invalid_request: {
    status: 400,
    message: 'The request is invalid.',
    advice: 'Correct the fields that the response names.',
    reasonRequired: false,
  },
  booking_unavailable: {
    status: 409,
    message: 'The booking cannot be made or changed as requested.',
    advice:
      'Read the current availability and choose another slot. Reuse the idempotency key only to repeat the same write.',
    reasonRequired: true,
  },
  not_found: {
    status: 404,
    message: 'No such record for this application.',
    advice: 'Check the id and the path. The response does not show whether another application has the record.',
    reasonRequired: false,
  },
  idempotency_key_reused: {
    status: 409,
    message: 'This idempotency key was used with a different request.',
    advice: 'Use a new idempotency key for each new write. Reuse an idempotency key only to repeat the same write.',
    reasonRequired: false,
  },
  booking_version_conflict: {
    status: 409,
    message: 'The booking has changed since the version in expected_version.',
    advice: 'Read the booking again and use its latest version.',
    reasonRequired: false,
  },
  endpoint_unavailable: {
    status: 409,
    message: 'Your webhook endpoint cannot receive a test event.',
    advice: 'Ask the owner to create or resume the endpoint.',
    reasonRequired: true,
  },
  rate_limited: {
    status: 429,
    message: 'The quota is exceeded.',
    advice:
      'Wait the number of seconds in Retry-After, then retry with bounded backoff. If the reason is failed_authentication, stop and correct the key.',
    reasonRequired: false,
  },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable. Retry with backoff.',
    advice:
      'Retry with bounded exponential backoff and jitter. Reuse the idempotency key only to repeat the same write.',
    reasonRequired: false,
  },
} as const satisfies Record<string, ApiError>;

/** A code of the public API. */
export type ApiErrorCode = keyof typeof API_ERRORS;
