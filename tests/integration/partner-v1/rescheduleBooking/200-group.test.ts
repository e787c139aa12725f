import { expect, test } from 'vitest';
import { claimsOf, everythingOf, expectRefusal } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';

const to = (start_time: string, more: Record<string, unknown> = {}) => ({
  expected_version: 1,
  date: dayAhead(),
  start_time,
  ...more,
});

const seats = async ({ tenant }: Desk) => (await claimsOf(tenant.id)).map(({ taken }) => taken);

test('frees a seat in the old group and takes one in the new group', async () => {
  const desk = await makeDesk({ service: { capacity: 3 } });
  const { reference } = await desk.book('10:00');
  await desk.book('10:00');
  await desk.book('14:00');
  expect((await desk.reschedule(reference, to('14:00'))).status).toBe(200);
  expect(await seats(desk)).toEqual([1, 2]);
});

test('creates a claim for a booking that leaves a group, and deletes the old claim with its last booking', async () => {
  const desk = await makeDesk({ service: { capacity: 3 } });
  const { reference } = await desk.book('10:00');
  const second = await desk.book('10:00');
  await desk.reschedule(reference, to('14:00'));
  expect(await seats(desk)).toEqual([1, 1]);
  await desk.reschedule(second.reference, to('14:00'));
  expect(await seats(desk)).toEqual([2]);
});

test('accepts a start that overlaps its own group only when the group has no other bookings', async () => {
  const desk = await makeDesk({ service: { capacity: 3, durationMinutes: 60 } });
  const { reference } = await desk.book('10:00');
  const second = await desk.book('10:00');
  expectRefusal(await desk.reschedule(reference, to('10:30')), 409, 'booking_unavailable', 'slot_taken');
  expect(await seats(desk)).toEqual([2]);
  await desk.cancel(second.reference);
  expect((await desk.reschedule(reference, to('10:30'))).status).toBe(200);
  expect(await seats(desk)).toEqual([1]);
});

test('prefers an open group when the current specialist is busy', async () => {
  const desk = await makeDesk({ specialists: 3, service: { capacity: 2 } });
  const { reference } = await desk.book('10:00', { specialist_id: desk.ids[0] });
  await desk.book('14:00', { specialist_id: desk.ids[0] });
  await desk.book('14:00', { specialist_id: desk.ids[0] });
  await desk.book('14:00', { specialist_id: desk.ids[2] });
  await desk.book('15:00', { specialist_id: desk.ids[2] });
  expect((await desk.reschedule(reference, to('14:00'))).data.booking.specialist_id).toBe(desk.ids[2]);
});

test('changes nothing when the target group is full', async () => {
  const desk = await makeDesk({ service: { capacity: 2 } });
  const { reference } = await desk.book('10:00');
  await desk.book('14:00');
  await desk.book('14:00');
  const before = await everythingOf(desk.tenant.id);
  expectRefusal(await desk.reschedule(reference, to('14:00')), 409, 'booking_unavailable', 'slot_taken');
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
});

test('returns 409 same_slot, not slot_taken, for the current slot in a full group', async () => {
  const desk = await makeDesk({ service: { capacity: 2 } });
  const { reference } = await desk.book('10:00');
  await desk.book('10:00');
  expectRefusal(await desk.reschedule(reference, to('10:00')), 409, 'booking_unavailable', 'same_slot');
  expect(await seats(desk)).toEqual([2]);
});
