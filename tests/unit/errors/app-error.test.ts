import { expect, test } from 'vitest';
import { AppError, invalidField, notFound } from '@/lib/errors/app-error';
import { ERROR_CODES, type ErrorCode } from '@/lib/errors/codes';

// The table of contract A, written out once more: a changed status is a changed contract.
const TABLE: Record<ErrorCode, number> = {
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

test('codes and statuses are those of the contract', () => {
  expect(Object.fromEntries(Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]))).toEqual(TABLE);
});

test('an error has the status and the fixed words of its code', () => {
  for (const code of Object.keys(TABLE) as ErrorCode[]) {
    const error = new AppError(code, { cause: new Error('a secret') });
    expect([error.status, error.message, error.reason, error.fields]).toEqual([
      TABLE[code],
      ERROR_CODES[code].message,
      null,
      [],
    ]);
  }
});

test('an error that says which methods are allowed is a 405', () => {
  expect(new AppError('invalid_request', { allow: ['GET'] }).status).toBe(405);
});

test('a refused field is named, with a reason where there is one', () => {
  expect(invalidField('cursor', 'is odd', 'cursor_mismatch')).toMatchObject({
    code: 'invalid_request',
    reason: 'cursor_mismatch',
    fields: [{ path: 'cursor', message: 'is odd' }],
  });
  expect(invalidField('limit', 'is odd').reason).toBeNull();
});

test('what is not found is always the same', () => {
  expect(notFound()).toMatchObject({
    code: 'not_found',
    reason: null,
    fields: [],
    message: ERROR_CODES.not_found.message,
  });
});
