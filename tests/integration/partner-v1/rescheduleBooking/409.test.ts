import { expect, test } from 'vitest';
import { db, pool } from '@/lib/platform/db';
import { countRows, everythingOf, expectRefusal, moveDeadline } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { catalogChanged, makeSpecialist } from '@/tests/support/factories';
import { nextClockChanges } from '@/tests/support/schedules';
import { until } from '@/tests/support/until';

type More = Record<string, unknown>;

const to = (more: More = {}) => ({ expected_version: 1, date: dayAhead(), start_time: '12:00', ...more });

/** Asserts a refusal that leaves booking, claims and events as they were, and binds its key. */
async function refused(desk: Desk, reference: string, more: More, reason: string | null): Promise<void> {
  const [before, { keys }] = [await everythingOf(desk.tenant.id), await countRows(desk.tenant.id)];
  const code = reason === null ? 'booking_version_conflict' : 'booking_unavailable';
  expectRefusal(await desk.reschedule(reference, to(more)), 409, code, reason);
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
  expect((await countRows(desk.tenant.id)).keys).toBe(keys + 1);
}

test('any version but the current one is a conflict', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  for (const expected_version of [2, 2_147_483_647]) await refused(desk, reference, { expected_version }, null);
  await desk.reschedule(reference, to());
  await refused(desk, reference, { start_time: '14:00' }, null);
});

test('version, state, cut-off, slot: checked in this order', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book('10:00');
  const past = { date: '2020-01-01' };
  await refused(desk, reference, past, 'lead_time');
  await moveDeadline(reference, -1);
  await refused(desk, reference, past, 'outside_cancellation_window');
  await pool().query(`UPDATE bookings SET status = 'completed' WHERE reference = $1`, [reference]);
  await refused(desk, reference, past, 'booking_not_active');
  await refused(desk, reference, { ...past, expected_version: 2 }, null);
});

test.for(['cancelled', 'completed', 'no_show'])('a booking that is %s cannot be moved', async (status) => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  if (status === 'cancelled') await desk.cancel(reference);
  else
    await pool().query('UPDATE bookings SET status = $2::"BookingStatus", version = 2 WHERE reference = $1', [
      reference,
      status,
    ]);
  await refused(desk, reference, { expected_version: 2 }, 'booking_not_active');
});

test('every reason for which a booking cannot be made refuses a move, in the same order', async () => {
  const desk = await makeDesk({ service: { maxAdvanceDays: 30 } });
  const stranger = await makeSpecialist(desk.tenant.id);
  const { reference } = await desk.book('10:00');
  await desk.book('12:00');
  const cases: [More, string][] = [
    [{ specialist_id: stranger.id, date: '2020-01-01' }, 'specialist_unavailable'],
    [{ specialist_id: stranger.id, start_time: '10:00' }, 'specialist_unavailable'],
    [{ date: '2020-01-01', start_time: '03:10' }, 'lead_time'],
    [{ date: dayAhead(-1) }, 'lead_time'],
    [{ date: dayAhead(32), start_time: '03:10' }, 'max_advance'],
    [{ start_time: '08:30' }, 'outside_schedule'],
    [{ start_time: '17:00' }, 'outside_schedule'],
    [{ start_time: '12:10' }, 'outside_schedule'],
    [{ start_time: '10:10' }, 'outside_schedule'],
    [{ start_time: '12:00' }, 'slot_taken'],
    [{ start_time: '12:00', specialist_id: desk.ids[0] }, 'slot_taken'],
    [{ start_time: '10:00' }, 'same_slot'],
    [{ start_time: '10:00', specialist_id: desk.ids[0] }, 'same_slot'],
  ];
  for (const [more, reason] of cases) await refused(desk, reference, more, reason);
});

test('a time in the skipped hour is named as such', async () => {
  const desk = await makeDesk({ location: { timeZone: 'America/New_York' } });
  const { date } = nextClockChanges('America/New_York').forward;
  const { reference } = await desk.book();
  await refused(desk, reference, { date, start_time: '02:30' }, 'nonexistent_local_time');
});

test('a wanted specialist who is taken is not replaced by another', async () => {
  const desk = await makeDesk({ specialists: 2 });
  const { reference } = await desk.book('10:00', { specialist_id: desk.ids[0] });
  await desk.book('12:00', { specialist_id: desk.ids[1] });
  await refused(desk, reference, { specialist_id: desk.ids[1] }, 'slot_taken');
});

test('when the service or location is no longer published, a booking stays where it is', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book('10:00');
  const change = async (what: 'service' | 'location', published: boolean, status: number) => {
    const at = { where: { id: desk[what].id }, data: { published } };
    await (what === 'service' ? db().service.update(at) : db().location.update(at));
    await catalogChanged(desk.tenant.id);
    const asked = { service_id: desk.service.id, location_id: desk.location.id, date: dayAhead() };
    await until(
      () => desk.slots(asked),
      (reply) => reply.status === status,
    );
  };
  await change('service', false, 404);
  await refused(desk, reference, {}, 'service_unpublished');
  await refused(desk, reference, { date: '2020-01-01' }, 'service_unpublished');
  await change('service', true, 200);
  await change('location', false, 404);
  await refused(desk, reference, {}, 'outside_schedule');
});
