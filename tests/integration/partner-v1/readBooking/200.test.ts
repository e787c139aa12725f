import { expect, test } from 'vitest';
import { issueKey } from '@/lib/access/applications/keys';
import { pool } from '@/lib/platform/db';
import { moveDeadline } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { localInstant } from '@/tests/support/schedules';

test('a booking is read as it was made, as often as one likes', async () => {
  const { book, read } = await makeDesk();
  const booking = await book();
  for (let i = 0; i < 3; i += 1) {
    const { status, data, headers } = await read(booking.reference);
    expect([status, data]).toEqual([200, { booking }]);
    expect(headers.location).toBeUndefined();
    expect(headers['idempotent-replayed']).toBeUndefined();
  }
});

test('every key of the application reads the same booking', async () => {
  const { book, tenant, applicationId } = await makeDesk();
  const booking = await book();
  const asked = { tenantId: tenant.id, applicationId, name: 'Second', expiresAt: null };
  const { key } = await issueKey(new Date(), { ...asked, actor: { kind: 'system' } });
  expect((await partnerOf(key).read(booking.reference)).data).toEqual({ booking });
});

test('after a change it is read with its new version, and nothing of the old time', async () => {
  const { book, reschedule, read } = await makeDesk();
  const { reference } = await book('10:00');
  const moved = await reschedule(reference, { expected_version: 1, date: dayAhead(8), start_time: '15:30' });
  const { data } = await read(reference);
  expect(data).toEqual(moved.data);
  expect(data.booking).toMatchObject({ version: 2, date: dayAhead(8), start_time: '15:30' });
});

test('a cancelled booking has no deadline and can be changed no more', async () => {
  const { book, cancel, read } = await makeDesk();
  const { reference } = await book();
  await cancel(reference);
  expect((await read(reference)).data.booking).toMatchObject({
    status: 'cancelled',
    version: 2,
    cancelled_by: 'partner',
    cancellable: false,
    reschedulable: false,
    change_deadline: null,
  });
});

test.for(['completed', 'no_show'])(
  'a booking that is %s has no deadline and can be changed no more',
  async (status) => {
    const { book, read } = await makeDesk();
    const { reference } = await book();
    await pool().query('UPDATE bookings SET status = $2::"BookingStatus", version = 2 WHERE reference = $1', [
      reference,
      status,
    ]);
    expect((await read(reference)).data.booking).toMatchObject({
      status,
      version: 2,
      cancellable: false,
      reschedulable: false,
      change_deadline: null,
      cancelled_at: null,
      cancelled_by: null,
    });
  },
);

test('until its deadline a booking can be changed, after it no more; the deadline stays', async () => {
  const { book, read } = await makeDesk();
  const { reference } = await book();
  for (const [minutes, changeable] of [
    [2, true],
    [-1, false],
  ] as const) {
    await moveDeadline(reference, minutes);
    const { booking } = (await read(reference)).data;
    expect([booking.cancellable, booking.reschedulable]).toEqual([changeable, changeable]);
    expect(Date.parse(booking.change_deadline ?? '') > Date.now()).toBe(changeable);
  }
});

test('an anonymised booking has a customer without name and phone, and its version stays', async () => {
  const { book, read } = await makeDesk();
  const booking = await book();
  await pool().query('UPDATE bookings SET customer_name = NULL, customer_phone = NULL WHERE reference = $1', [
    booking.reference,
  ]);
  const anonymous = { ...booking, customer: { name: null, phone_masked: null } };
  expect((await read(booking.reference)).data).toEqual({ booking: anonymous });
});

test('the guest`s wall clock does not move when the zone of the location is edited', async () => {
  const { book, read, location } = await makeDesk();
  const { reference } = await book('10:00');
  await pool().query(`UPDATE locations SET time_zone = 'Asia/Tokyo' WHERE id = $1`, [location.id]);
  expect((await read(reference)).data.booking).toMatchObject({
    time_zone: 'Europe/Berlin',
    starts_at: localInstant(dayAhead(), '10:00', 'Europe/Berlin'),
  });
});
