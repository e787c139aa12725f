import { expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { BOOKINGS, CUSTOMER, dayAhead, makeDesk } from '@/tests/support/bookings';
import { rowOf, rowsOf } from '../request-log/rows';

const KEY = 'a-key-of-this-test';

test('a successful write has its log entry, with both references, before the response', async () => {
  const { create, cancel, body, tenant, applicationId, keyId } = await makeDesk();
  const made = await create(body());
  const { reference } = made.data.booking;
  const [line, ...more] = await rowsOf(made.requestId);
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    tenant_id: tenant.id,
    application_id: applicationId,
    key_id: keyId,
    method: 'POST',
    route: BOOKINGS,
    path: BOOKINGS,
    status: 201,
    code: null,
    reason: null,
    invalid_fields: [],
    replayed_from: null,
    booking_reference: reference,
    external_reference: 'order-4711',
  });
  expect(line?.idempotency_key_hash).toHaveLength(32);
  const canceled = await cancel(reference);
  expect((await rowsOf(canceled.requestId))[0]).toMatchObject({
    route: `${BASE_PATH}/bookings/{pbr_reference}/actions/cancel`,
    path: `${BOOKINGS}/${reference}/actions/cancel`,
    status: 200,
    booking_reference: reference,
    external_reference: 'order-4711',
  });
});

test('a write has one log entry, even after the buffer was flushed', async () => {
  const { create, body, slots } = await makeDesk();
  const made = await create(body());
  // Buffered entries are stored in order. When the entry of this later read has been stored, a second entry of the
  // write would have been stored too.
  await rowOf((await slots({})).requestId);
  expect(await rowsOf(made.requestId)).toHaveLength(1);
});

test('a replay has its own log entry that refers to the original', async () => {
  const { create, body } = await makeDesk();
  const made = await create(body(), { key: KEY });
  const again = await create(body(), { key: `"${KEY}"` });
  const [first, second] = [await rowOf(made.requestId), await rowOf(again.requestId)];
  expect(second).toMatchObject({
    status: 201,
    replayed_from: made.requestId,
    booking_reference: made.data.booking.reference,
    idempotency_key_hash: first.idempotency_key_hash,
  });
});

test('a refused write has a log entry with code, reason and fields, without a booking, and what it requested', async () => {
  const { create, body, book, service, location } = await makeDesk();
  await book();
  const taken = await create(body());
  const bad = await create(body('10:00', { customer: { ...CUSTOMER, phone: '123', birthday: 'x' } }));
  const none = { booking_reference: null, replayed_from: null };
  const refused = { service_id: service.id, location_id: location.id, date: dayAhead(), start_time: '10:00' };
  expect(await rowOf(taken.requestId)).toMatchObject({
    ...none,
    external_reference: 'order-4711',
    refused,
    status: 409,
    code: 'booking_unavailable',
    reason: 'slot_taken',
  });
  expect(await rowOf(bad.requestId)).toMatchObject({
    ...none,
    external_reference: null,
    refused,
    status: 400,
    code: 'invalid_request',
    reason: 'unknown_field',
    invalid_fields: ['customer.phone', 'customer.birthday'],
  });
});

test('a read is logged with its booking', async () => {
  const { book, read, slots, service } = await makeDesk();
  const { reference } = await book();
  const asked = { service_id: service.id, date: dayAhead() };
  expect(await rowOf((await read(reference)).requestId)).toMatchObject({ booking_reference: reference, status: 200 });
  expect(await rowOf((await slots(asked)).requestId)).toMatchObject({ booking_reference: null, status: 200 });
});
