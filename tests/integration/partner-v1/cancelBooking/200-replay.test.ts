import { expect, test } from 'vitest';
import { eventsOf, expectRefusal, moveDeadline } from '@/tests/support/booking-rows';
import { makeDesk } from '@/tests/support/bookings';

const KEY = 'order-4711-cancel';

test('the replay of a cancel is its original answer, not a version conflict', async () => {
  const { book, cancel } = await makeDesk();
  const { reference } = await book();
  const first = await cancel(reference, { expected_version: 1 }, { key: KEY });
  const again = await cancel(reference, { expected_version: 1 }, { key: KEY });
  expect([again.status, again.data]).toEqual([200, first.data]);
  expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', 'x-original-request-id': first.requestId });
  expect(again.headers.location).toBeUndefined();
  expect(await eventsOf(reference)).toHaveLength(2);
});

test('a replay comes before the cut-off', async () => {
  const { book, cancel } = await makeDesk();
  const { reference } = await book();
  const first = await cancel(reference, undefined, { key: KEY });
  await moveDeadline(reference, -1);
  expect((await cancel(reference, undefined, { key: KEY })).data).toEqual(first.data);
});

test('with another key the cancel is evaluated again, and refused', async () => {
  const { book, cancel } = await makeDesk();
  const { reference } = await book();
  await cancel(reference, undefined, { key: KEY });
  expectRefusal(await cancel(reference), 409, 'booking_version_conflict');
  expectRefusal(await cancel(reference, { expected_version: 2 }), 409, 'booking_unavailable', 'booking_not_active');
});

test('another reason with the same key is another request', async () => {
  const { book, cancel } = await makeDesk();
  const { reference } = await book();
  await cancel(reference, { expected_version: 1 }, { key: KEY });
  const other = { expected_version: 1, reason: 'duplicate' };
  expectRefusal(await cancel(reference, other, { key: KEY }), 409, 'idempotency_key_reused');
});
