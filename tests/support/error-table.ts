/** The codes of the public API and their statuses, written out once more from contract A: a changed one is a changed contract. */
export const API_STATUSES: Readonly<Record<string, number>> = {
  invalid_api_key: 401,
  insufficient_scope: 403,
  credential_restricted: 403,
  invalid_request: 400,
  booking_unavailable: 409,
  not_found: 404,
  idempotency_key_reused: 409,
  booking_version_conflict: 409,
  rate_limited: 429,
  service_unavailable: 503,
};
