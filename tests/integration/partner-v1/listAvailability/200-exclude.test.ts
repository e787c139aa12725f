import { expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { bookingRow, expectRefusal } from '@/tests/support/booking-rows';
import { makeDesk } from '@/tests/support/bookings';

test('without exclude_reference a booking hides the starts that overlap it, with it they are free', async () => {
  const { book, starts } = await makeDesk({ service: { durationMinutes: 60 } });
  const whole = await starts();
  const { reference } = await book('12:00');
  const without = await starts();
  expect(whole.filter((time) => !without.includes(time))).toEqual(['11:30', '12:00', '12:30']);
  expect(await starts({ exclude_reference: reference })).toEqual(whole);
});

test('only the own seat of a group is free, not those of the others', async () => {
  const { book, slotAt, starts, ids } = await makeDesk({ service: { capacity: 3, durationMinutes: 60 } });
  const { reference } = await book('12:00');
  await book('12:00');
  expect(await slotAt('12:00')).toMatchObject({ available_capacity: 1 });
  const asked = { exclude_reference: reference };
  expect(await slotAt('12:00', asked)).toMatchObject({ available_capacity: 2, specialist_ids: ids });
  // The group stays: its specialist is busy at what overlaps it.
  expect(await starts(asked)).not.toContain('12:30');
});

test('a full group has the own seat left', async () => {
  const { book, slotAt } = await makeDesk({ service: { capacity: 2 } });
  const { reference } = await book('12:00');
  await book('12:00');
  expect(await slotAt('12:00')).toBeUndefined();
  expect(await slotAt('12:00', { exclude_reference: reference })).toMatchObject({ available_capacity: 1 });
});

test('the last guest of a group takes it along: what it hid is free', async () => {
  const { book, starts } = await makeDesk({ service: { capacity: 3, durationMinutes: 60 } });
  const whole = await starts();
  const { reference } = await book('12:00');
  expect(await starts()).not.toContain('12:30');
  expect(await starts({ exclude_reference: reference })).toEqual(whole);
});

test('the seat is free with its own specialist only', async () => {
  const { book, slotAt, ids } = await makeDesk({ specialists: 2 });
  const { reference, specialist_id } = await book('12:00', { specialist_id: ids[0] });
  await book('12:00', { specialist_id: ids[1] });
  expect(await slotAt('12:00')).toBeUndefined();
  const slot = await slotAt('12:00', { exclude_reference: reference });
  expect(slot).toMatchObject({ available_capacity: 1, specialist_ids: [specialist_id] });
});

test('a cancelled booking has no effect', async () => {
  const { book, cancel, starts, slots, service } = await makeDesk();
  const { reference } = await book('12:00');
  expect((await cancel(reference)).status).toBe(200);
  await book('12:00');
  expect(await starts({ exclude_reference: reference })).not.toContain('12:00');
  expect((await slots({ service_id: service.id, date: '2020-01-01', exclude_reference: reference })).status).toBe(200);
});

test.for(['completed', 'no_show'])('a booking that is %s has no effect', async (status) => {
  const { book, starts } = await makeDesk();
  const { reference } = await book('12:00');
  await pool().query('UPDATE bookings SET status = $2::"BookingStatus" WHERE reference = $1', [reference, status]);
  expect((await bookingRow(reference)).status).toBe(status);
  expect(await starts({ exclude_reference: reference })).not.toContain('12:00');
});

test('asking changes nothing: the seat is still taken for everybody else', async () => {
  const { book, starts, create, body } = await makeDesk();
  const { reference } = await book('12:00');
  expect(await starts({ exclude_reference: reference })).toContain('12:00');
  expectRefusal(await create(body('12:00')), 409, 'booking_unavailable', 'slot_taken');
});
