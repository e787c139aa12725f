import { expect } from 'vitest';
import type { Reply } from '@/tests/support/client';

type Allowed = 'GET' | 'POST' | 'GET, POST';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Returns the methods that a route must refuse if it allows only the methods in `allowed`. */
export function methodsOtherThan(allowed: Allowed): string[] {
  return METHODS.filter((method) => !allowed.split(', ').includes(method));
}

/** Asserts a 405 that names the allowed methods. */
export function expectMethodRefused({ status, headers, error }: Reply, allowed: Allowed): void {
  expect([status, headers.allow, error.code]).toEqual([405, allowed, 'invalid_request']);
}
