import { expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { everythingOf, expectRefusal, moveDeadline } from '@/tests/support/booking-rows';
import { type Desk, makeDesk } from '@/tests/support/bookings';

async function refused(desk: Desk, reference: string, expected_version: number, code: string, reason?: string) {
  const before = await everythingOf(desk.tenant.id);
  expectRefusal(await desk.cancel(reference, { expected_version }), 409, code, reason ?? null);
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
}

const CONFLICT = 'booking_version_conflict';

test('any version but the current one is a conflict', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book('10:00');
  for (const version of [2, 3, 2_147_483_647]) await refused(desk, reference, version, CONFLICT);
  await desk.reschedule(reference, { expected_version: 1, date: desk.body().date, start_time: '11:00' });
  for (const version of [1, 3]) await refused(desk, reference, version, CONFLICT);
  expect((await desk.cancel(reference, { expected_version: 2 })).data.booking.version).toBe(3);
});

test('the version is checked before the state and the cut-off', async () => {
  const desk = await makeDesk();
  const [cancelled, late] = [await desk.book('10:00'), await desk.book('11:00')];
  await desk.cancel(cancelled.reference);
  await moveDeadline(late.reference, -1);
  await refused(desk, cancelled.reference, 1, CONFLICT);
  await refused(desk, late.reference, 2, CONFLICT);
});

test.for(['cancelled', 'completed', 'no_show'])('a booking that is %s cannot be cancelled', async (status) => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  if (status === 'cancelled') await desk.cancel(reference);
  else
    await pool().query('UPDATE bookings SET status = $2::"BookingStatus", version = 2 WHERE reference = $1', [
      reference,
      status,
    ]);
  // The state is checked before the cut-off.
  await moveDeadline(reference, -1);
  await refused(desk, reference, 2, 'booking_unavailable', 'booking_not_active');
});

test('after its deadline a booking cannot be cancelled', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  await moveDeadline(reference, 0);
  await pool().query(
    'UPDATE bookings SET cancellation_cutoff_minutes = cancellation_cutoff_minutes + 1 WHERE reference = $1',
    [reference],
  );
  await refused(desk, reference, 1, 'booking_unavailable', 'outside_cancellation_window');
});

test('a booking that has begun cannot be cancelled, even without a cut-off', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  await pool().query(
    `UPDATE bookings SET starts_at = now() - interval '1 minute', ends_at = now() + interval '29 minutes'
     WHERE reference = $1`,
    [reference],
  );
  await refused(desk, reference, 1, 'booking_unavailable', 'outside_cancellation_window');
});
