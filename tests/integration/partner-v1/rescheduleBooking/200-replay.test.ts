import { expect, test } from 'vitest';
import { eventsOf, everythingOf, expectRefusal, moveDeadline } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk } from '@/tests/support/bookings';

const KEY = 'order-4711-reschedule';
const BODY = { expected_version: 1, date: dayAhead(), start_time: '12:00' };

test('replays the original response and changes nothing', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book('10:00');
  const first = await desk.reschedule(reference, BODY, { key: KEY });
  const before = await everythingOf(desk.tenant.id);
  const again = await desk.reschedule(reference, BODY, { key: KEY });
  expect([again.status, again.data]).toEqual([200, first.data]);
  expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', 'x-original-request-id': first.requestId });
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
});

test('replays before it checks version, status, cutoff and slot', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book('10:00');
  const first = await desk.reschedule(reference, BODY, { key: KEY });
  await desk.reschedule(reference, { ...BODY, expected_version: 2, start_time: '15:00' });
  await desk.book('12:00');
  await moveDeadline(reference, 5);
  await desk.cancel(reference, { expected_version: 3 });
  expect((await desk.reschedule(reference, BODY, { key: KEY })).data).toEqual(first.data);
  expect((await eventsOf(reference)).map(({ version }) => version)).toEqual([1, 2, 3, 4]);
});

test('evaluates a refused request again under the same idempotency key once the slot is free', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book('10:00');
  const other = await desk.book('12:00');
  const refused = await desk.reschedule(reference, BODY, { key: KEY });
  expectRefusal(refused, 409, 'booking_unavailable', 'slot_taken');
  await desk.cancel(other.reference);
  const made = await desk.reschedule(reference, BODY, { key: KEY });
  expect(made.data.booking).toMatchObject({ start_time: '12:00', version: 2 });
  expect(made.headers['idempotent-replayed']).toBeUndefined();
});
