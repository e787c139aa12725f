import { expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { helpOfEntry } from '@/lib/control-center/requests/help';

type Entry = Parameters<typeof helpOfEntry>[0];

const ENTRY: Entry = {
  ...{ status: 400, code: 'invalid_request', reason: null, method: 'POST', route: `${BASE_PATH}/bookings` },
  ...{ invalid_fields: [], booking_reference: null, external_reference: null },
  ...{ application_id: 'app_1', had_idempotency_key: false, environment: 'TEST' },
};

const keyOf = (more: Partial<Entry>) => helpOfEntry({ ...ENTRY, ...more })?.key;

test('an invalid request without fields gets the help for what could not be read, one with fields that for fields', () => {
  expect(keyOf({})).toBe('cases.unreadableBody');
  expect(keyOf({ method: 'DELETE', route: `${BASE_PATH}/busy/{external_id}` })).toBe('cases.unreadableBody');
  for (const method of ['GET', 'HEAD']) expect(keyOf({ method })).toBe('cases.unreadableQuery');
  for (const method of ['-', 'GET', 'POST'])
    expect(keyOf({ method, application_id: null, route: null })).toBe('cases.notHttp');
  expect(keyOf({ invalid_fields: ['date'] })).toBe('codes.invalid_request');
  expect(keyOf({ reason: 'cursor_mismatch', method: 'GET' })).toBe('reasons.cursor_mismatch');
  expect(keyOf({ status: 405 })).toBe('cases.wrongMethod');
  expect(helpOfEntry({ ...ENTRY, status: 201, code: null })).toBeNull();
});

test('a 429 after the idempotency key was read is one for waiting test events, one before that for the quota', () => {
  const limited = { status: 429, code: 'rate_limited' };
  for (const path of ['/webhooks/test-events', '/test/signature-checks']) {
    const route = BASE_PATH + path;
    expect(keyOf({ ...limited, route, had_idempotency_key: true })).toBe('cases.waitingTestEvents');
    expect(keyOf({ ...limited, route })).toBe('codes.rate_limited');
  }
  expect(keyOf({ ...limited, had_idempotency_key: true })).toBe('codes.rate_limited');
});

test('a forced error is told from a real one by the test value, the code, and the environment', () => {
  const forced = (word: string, more: Partial<Entry>) =>
    keyOf({ external_reference: `test:${word}:order-1`, had_idempotency_key: true, ...more });
  const failed = { status: 503, code: 'service_unavailable' };
  const taken = { status: 409, code: 'booking_unavailable', reason: 'slot_taken' };
  expect(forced('503', failed)).toBe('cases.forced');
  expect(forced('429', { status: 429, code: 'rate_limited' })).toBe('cases.forced');
  expect(forced('slot_taken', taken)).toBe('cases.forced');
  expect(forced('503', { ...failed, environment: 'LIVE' })).toBe('codes.service_unavailable');
  expect(forced('503', { ...failed, booking_reference: 'pbr_1' })).toBe('codes.service_unavailable');
  expect(forced('503', { ...failed, external_reference: null })).toBe('codes.service_unavailable');
  expect(forced('503', { ...failed, route: `${BASE_PATH}/bookings/{pbr_reference}/actions/cancel` })).toBe(
    'codes.service_unavailable',
  );
  expect(forced('slow', failed)).toBe('codes.service_unavailable');
  expect(forced('503', { status: 409, code: 'idempotency_key_reused' })).toBe('codes.idempotency_key_reused');
  expect(forced('slot_taken', { ...taken, reason: 'lead_time' })).toBe('reasons.lead_time');
});
