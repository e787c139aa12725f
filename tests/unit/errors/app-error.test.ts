import { expect, test } from 'vitest';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { ERROR_CODES, type ErrorCode } from '@/lib/contract/errors/codes';
import { API_STATUSES } from '@/tests/support/error-table';

test('codes and statuses of the public API are those of the contract', () => {
  const statuses = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status] as const);
  expect(Object.fromEntries(statuses.filter(([code]) => code in API_STATUSES))).toEqual(API_STATUSES);
});

test('an error has the status and the fixed words of its code', () => {
  for (const [code, { status, message }] of Object.entries(ERROR_CODES)) {
    const error = new AppError(code as ErrorCode, { cause: new Error('a secret') });
    expect([error.status, error.message, error.reason, error.fields]).toEqual([status, message, null, []]);
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
