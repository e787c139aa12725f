import { expect, test } from 'vitest';
import { eventsOf, expectRefusal, moveDeadline } from '@/tests/support/booking-rows';
import { makeDesk } from '@/tests/support/bookings';

const KEY = 'order-4711-cancel';

test('replays the original response instead of a version conflict', async () => {
  const { book, cancel } = await makeDesk();
  const { reference } = await book();
  const first = await cancel(reference, { expected_version: 1 }, { key: KEY });
  const again = await cancel(reference, { expected_version: 1 }, { key: KEY });
  expect([again.status, again.data]).toEqual([200, first.data]);
  expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', 'x-original-request-id': first.requestId });
  expect(again.headers.location).toBeUndefined();
  expect(await eventsOf(reference)).toHaveLength(2);
});

test('replays before it checks the cutoff', async () => {
  const { book, cancel } = await makeDesk();
  const { reference } = await book();
  const first = await cancel(reference, undefined, { key: KEY });
  await moveDeadline(reference, -1);
  expect((await cancel(reference, undefined, { key: KEY })).data).toEqual(first.data);
});

test('evaluates and refuses a second cancel under another idempotency key', async () => {
  const { book, cancel } = await makeDesk();
  const { reference } = await book();
  await cancel(reference, undefined, { key: KEY });
  expectRefusal(await cancel(reference), 409, 'booking_version_conflict');
  expectRefusal(await cancel(reference, { expected_version: 2 }), 409, 'booking_unavailable', 'booking_not_active');
});

test('returns 409 idempotency_key_reused for another reason under the same idempotency key', async () => {
  const { book, cancel } = await makeDesk();
  const { reference } = await book();
  await cancel(reference, { expected_version: 1 }, { key: KEY });
  const other = { expected_version: 1, reason: 'duplicate' };
  expectRefusal(await cancel(reference, other, { key: KEY }), 409, 'idempotency_key_reused');
});
