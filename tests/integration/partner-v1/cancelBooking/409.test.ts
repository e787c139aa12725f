import { expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { everythingOf, expectRefusal, moveDeadline } from '@/tests/support/booking-rows';
import { type Desk, makeDesk } from '@/tests/support/bookings';
import { endBooking } from '../booking-states';

async function expectRefused(desk: Desk, reference: string, expected_version: number, code: string, reason?: string) {
  const before = await everythingOf(desk.tenant.id);
  expectRefusal(await desk.cancel(reference, { expected_version }), 409, code, reason ?? null);
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
}

const CONFLICT = 'booking_version_conflict';

test('returns 409 booking_version_conflict for any version but the current one', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book('10:00');
  for (const version of [2, 3, 2_147_483_647]) await expectRefused(desk, reference, version, CONFLICT);
  await desk.reschedule(reference, { expected_version: 1, date: desk.body().date, start_time: '11:00' });
  for (const version of [1, 3]) await expectRefused(desk, reference, version, CONFLICT);
  expect((await desk.cancel(reference, { expected_version: 2 })).data.booking.version).toBe(3);
});

test('checks the version before the status and the cutoff', async () => {
  const desk = await makeDesk();
  const [cancelled, late] = [await desk.book('10:00'), await desk.book('11:00')];
  await desk.cancel(cancelled.reference);
  await moveDeadline(late.reference, -1);
  await expectRefused(desk, cancelled.reference, 1, CONFLICT);
  await expectRefused(desk, late.reference, 2, CONFLICT);
});

test.for(['cancelled', 'completed', 'no_show'])(
  'returns 409 booking_not_active for a booking with status %s',
  async (status) => {
    const desk = await makeDesk();
    const { reference } = await desk.book();
    await endBooking(desk, reference, status);
    // The deadline has also passed, but the server checks the booking's status first.
    await moveDeadline(reference, -1);
    await expectRefused(desk, reference, 2, 'booking_unavailable', 'booking_not_active');
  },
);

test('returns 409 outside_cancellation_window after the deadline', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  await moveDeadline(reference, 0);
  await pool().query(
    'UPDATE bookings SET cancellation_cutoff_minutes = cancellation_cutoff_minutes + 1 WHERE reference = $1',
    [reference],
  );
  await expectRefused(desk, reference, 1, 'booking_unavailable', 'outside_cancellation_window');
});

test('returns 409 outside_cancellation_window after the start, even without a cutoff', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  await pool().query(
    `UPDATE bookings SET starts_at = now() - interval '1 minute', ends_at = now() + interval '29 minutes'
     WHERE reference = $1`,
    [reference],
  );
  await expectRefused(desk, reference, 1, 'booking_unavailable', 'outside_cancellation_window');
});
