import { expect, test } from 'vitest';
import { issueKey } from '@/lib/access/applications/keys';
import { pool } from '@/lib/platform/db';
import { moveDeadline } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { localInstant } from '@/tests/support/schedules';
import { anonymize, endBooking, NOBODY } from '../booking-states';

test('returns the booking exactly as it was created, on every read', async () => {
  const { book, read } = await makeDesk();
  const booking = await book();
  for (let i = 0; i < 3; i += 1) {
    const { status, data, headers } = await read(booking.reference);
    expect([status, data]).toEqual([200, { booking }]);
    expect(headers.location).toBeUndefined();
    expect(headers['idempotent-replayed']).toBeUndefined();
  }
});

test('returns the same booking to every key of the application', async () => {
  const { book, tenant, applicationId } = await makeDesk();
  const booking = await book();
  const input = { tenantId: tenant.id, applicationId, name: 'Second', expiresAt: null };
  const { key } = await issueKey(new Date(), { ...input, actor: { kind: 'system' } });
  expect((await partnerOf(key).read(booking.reference)).data).toEqual({ booking });
});

test('returns the new version and time after a reschedule', async () => {
  const { book, reschedule, read } = await makeDesk();
  const { reference } = await book('10:00');
  const moved = await reschedule(reference, { expected_version: 1, date: dayAhead(8), start_time: '15:30' });
  const { data } = await read(reference);
  expect(data).toEqual(moved.data);
  expect(data.booking).toMatchObject({ version: 2, date: dayAhead(8), start_time: '15:30' });
});

test('returns a canceled booking without a deadline and as unchangeable', async () => {
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
  'returns a booking with status %s without a deadline and as unchangeable',
  async (status) => {
    const desk = await makeDesk();
    const { reference } = await desk.book();
    await endBooking(desk, reference, status);
    expect((await desk.read(reference)).data.booking).toMatchObject({
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

test('reports a booking as changeable only until its deadline', async () => {
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

test('returns an anonymized booking with a null name and phone and an unchanged version', async () => {
  const { book, read } = await makeDesk();
  const booking = await book();
  await anonymize(booking.reference);
  const anonymous = { ...booking, customer: NOBODY };
  expect((await read(booking.reference)).data).toEqual({ booking: anonymous });
});

test('keeps the time zone of the booking when that of the location is edited', async () => {
  const { book, read, location } = await makeDesk();
  const { reference } = await book('10:00');
  await pool().query(`UPDATE locations SET time_zone = 'Asia/Tokyo' WHERE id = $1`, [location.id]);
  expect((await read(reference)).data.booking).toMatchObject({
    time_zone: 'Europe/Berlin',
    starts_at: localInstant(dayAhead(), '10:00', 'Europe/Berlin'),
  });
});
