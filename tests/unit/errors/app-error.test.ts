import { expect, test } from 'vitest';
import { AppError, invalidBecause, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { ERROR_CODES, type ErrorCode } from '@/lib/contract/errors/codes';
import { API_STATUSES } from '@/tests/support/error-table';

test('the codes and statuses of the public API match the contract', () => {
  const statuses = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status] as const);
  expect(Object.fromEntries(statuses.filter(([code]) => code in API_STATUSES))).toEqual(API_STATUSES);
});

test('an error has the status and the fixed message of its code', () => {
  for (const [code, { status, message }] of Object.entries(ERROR_CODES)) {
    const error = new AppError(code as ErrorCode, { cause: new Error('a secret') });
    expect([error.status, error.message, error.reason, error.fields]).toEqual([status, message, null, []]);
  }
});

test('an error with allowed methods has status 405', () => {
  expect(new AppError('invalid_request', { allow: ['GET'] }).status).toBe(405);
});

test('an invalid field is named, with the reason if there is one', () => {
  expect(invalidBecause('cursor_mismatch')).toMatchObject({
    code: 'invalid_request',
    reason: 'cursor_mismatch',
    fields: [{ path: 'cursor', message: 'must be the next_cursor of the same query' }],
  });
  expect(invalidField('limit', 'is odd').reason).toBeNull();
});

test('not found is always the same error', () => {
  expect(notFound()).toMatchObject({
    code: 'not_found',
    reason: null,
    fields: [],
    message: ERROR_CODES.not_found.message,
  });
});
