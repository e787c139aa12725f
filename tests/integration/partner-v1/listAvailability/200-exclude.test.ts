import { expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { bookingRow, expectRefusal } from '@/tests/support/booking-rows';
import { makeDesk } from '@/tests/support/bookings';

test('offers the starts that overlap a booking only with exclude_reference', async () => {
  const { book, starts } = await makeDesk({ service: { durationMinutes: 60 } });
  const whole = await starts();
  const { reference } = await book('12:00');
  const without = await starts();
  expect(whole.filter((time) => !without.includes(time))).toEqual(['11:30', '12:00', '12:30']);
  expect(await starts({ exclude_reference: reference })).toEqual(whole);
});

test('offers the start of a booking that lies directly between two others', async () => {
  const { book, starts } = await makeDesk({ service: { durationMinutes: 60 } });
  const [, { reference }] = [await book('11:00'), await book('12:00'), await book('13:00')];
  const without = await starts();
  expect((await starts({ exclude_reference: reference })).filter((time) => !without.includes(time))).toEqual(['12:00']);
});

test('frees only one seat of a group, not those of the other customers', async () => {
  const { book, slotAt, starts, ids } = await makeDesk({ service: { capacity: 3, durationMinutes: 60 } });
  const { reference } = await book('12:00');
  await book('12:00');
  expect(await slotAt('12:00')).toMatchObject({ available_capacity: 1 });
  const query = { exclude_reference: reference };
  expect(await slotAt('12:00', query)).toMatchObject({ available_capacity: 2, specialist_ids: ids });
  // The other booking at 12:00 still occupies the specialist until 13:00.
  expect(await starts(query)).not.toContain('12:30');
});

test('offers one seat in the full group of the excluded booking', async () => {
  const { book, slotAt } = await makeDesk({ service: { capacity: 2 } });
  const { reference } = await book('12:00');
  await book('12:00');
  expect(await slotAt('12:00')).toBeUndefined();
  expect(await slotAt('12:00', { exclude_reference: reference })).toMatchObject({ available_capacity: 1 });
});

test('frees the whole claim when the excluded booking is its only booking', async () => {
  const { book, starts } = await makeDesk({ service: { capacity: 3, durationMinutes: 60 } });
  const whole = await starts();
  const { reference } = await book('12:00');
  expect(await starts()).not.toContain('12:30');
  expect(await starts({ exclude_reference: reference })).toEqual(whole);
});

test('frees the seat for the specialist of the excluded booking only', async () => {
  const { book, slotAt, ids } = await makeDesk({ specialists: 2 });
  const { reference, specialist_id } = await book('12:00', { specialist_id: ids[0] });
  await book('12:00', { specialist_id: ids[1] });
  expect(await slotAt('12:00')).toBeUndefined();
  const slot = await slotAt('12:00', { exclude_reference: reference });
  expect(slot).toMatchObject({ available_capacity: 1, specialist_ids: [specialist_id] });
});

test('ignores a canceled booking', async () => {
  const { book, cancel, starts, slots, service } = await makeDesk();
  const { reference } = await book('12:00');
  expect((await cancel(reference)).status).toBe(200);
  await book('12:00');
  expect(await starts({ exclude_reference: reference })).not.toContain('12:00');
  expect((await slots({ service_id: service.id, date: '2020-01-01', exclude_reference: reference })).status).toBe(200);
});

test.for(['completed', 'no_show'])('ignores a booking with status %s', async (status) => {
  const { book, starts } = await makeDesk();
  const { reference } = await book('12:00');
  await pool().query('UPDATE bookings SET status = $2::"BookingStatus" WHERE reference = $1', [reference, status]);
  expect((await bookingRow(reference)).status).toBe(status);
  expect(await starts({ exclude_reference: reference })).not.toContain('12:00');
});

test('does not release the seat of the excluded booking', async () => {
  const { book, starts, create, body } = await makeDesk();
  const { reference } = await book('12:00');
  expect(await starts({ exclude_reference: reference })).toContain('12:00');
  expectRefusal(await create(body('12:00')), 409, 'booking_unavailable', 'slot_taken');
});
