import { expect, test } from 'vitest';
import { markChanged } from '@/lib/platform/cache';
import { db, pool } from '@/lib/platform/db';
import { countRows, everythingOf, expectRefusal, moveDeadline } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { makeSpecialist } from '@/tests/support/factories';
import { nextClockChanges } from '@/tests/support/schedules';
import { until } from '@/tests/support/until';
import { endBooking } from '../booking-states';

type More = Record<string, unknown>;

const to = (more: More = {}) => ({ expected_version: 1, date: dayAhead(), start_time: '12:00', ...more });

/** Asserts that a reschedule is refused, and that the refusal stores the idempotency key but changes nothing else. */
async function expectRefused(desk: Desk, reference: string, more: More, reason: string | null): Promise<void> {
  const [before, { keys }] = [await everythingOf(desk.tenant.id), await countRows(desk.tenant.id)];
  const code = reason === null ? 'booking_version_conflict' : 'booking_unavailable';
  expectRefusal(await desk.reschedule(reference, to(more)), 409, code, reason);
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
  expect((await countRows(desk.tenant.id)).keys).toBe(keys + 1);
}

test('returns 409 booking_version_conflict for any version but the current one', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  for (const expected_version of [2, 2_147_483_647]) await expectRefused(desk, reference, { expected_version }, null);
  await desk.reschedule(reference, to());
  await expectRefused(desk, reference, { start_time: '14:00' }, null);
});

test('checks version, status, cutoff and slot, in this order', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book('10:00');
  const past = { date: '2020-01-01' };
  await expectRefused(desk, reference, past, 'lead_time');
  await moveDeadline(reference, -1);
  await expectRefused(desk, reference, past, 'outside_cancellation_window');
  await pool().query(`UPDATE bookings SET status = 'completed' WHERE reference = $1`, [reference]);
  await expectRefused(desk, reference, past, 'booking_not_active');
  await expectRefused(desk, reference, { ...past, expected_version: 2 }, null);
});

test.for(['cancelled', 'completed', 'no_show'])(
  'returns 409 booking_not_active for a booking with status %s',
  async (status) => {
    const desk = await makeDesk();
    const { reference } = await desk.book();
    await endBooking(desk, reference, status);
    await expectRefused(desk, reference, { expected_version: 2 }, 'booking_not_active');
  },
);

test('returns every reason that a create returns, in the same order of precedence', async () => {
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
    [{ start_time: '12:10' }, 'off_grid'],
    [{ start_time: '10:10' }, 'off_grid'],
    [{ start_time: '12:00' }, 'slot_taken'],
    [{ start_time: '12:00', specialist_id: desk.ids[0] }, 'slot_taken'],
    [{ start_time: '10:00' }, 'same_slot'],
    [{ start_time: '10:00', specialist_id: desk.ids[0] }, 'same_slot'],
  ];
  for (const [more, reason] of cases) await expectRefused(desk, reference, more, reason);
});

test('returns 409 nonexistent_local_time for a time in the hour skipped by daylight saving', async () => {
  const desk = await makeDesk({ location: { timeZone: 'America/New_York' } });
  const { date } = nextClockChanges('America/New_York').forward;
  const { reference } = await desk.book();
  await expectRefused(desk, reference, { date, start_time: '02:30' }, 'nonexistent_local_time');
});

test('does not replace a requested specialist who is busy', async () => {
  const desk = await makeDesk({ specialists: 2 });
  const { reference } = await desk.book('10:00', { specialist_id: desk.ids[0] });
  await desk.book('12:00', { specialist_id: desk.ids[1] });
  await expectRefused(desk, reference, { specialist_id: desk.ids[1] }, 'slot_taken');
});

test('changes nothing when the service or location is no longer published', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book('10:00');
  const change = async (what: 'service' | 'location', published: boolean, status: number) => {
    const at = { where: { id: desk[what].id }, data: { published } };
    await (what === 'service' ? db().service.update(at) : db().location.update(at));
    await markChanged(db(), 'catalog', desk.tenant.id);
    const query = { service_id: desk.service.id, location_id: desk.location.id, date: dayAhead() };
    await until(
      () => desk.slots(query),
      (reply) => reply.status === status,
    );
  };
  await change('service', false, 404);
  await expectRefused(desk, reference, {}, 'service_unpublished');
  await expectRefused(desk, reference, { date: '2020-01-01' }, 'service_unpublished');
  await change('service', true, 200);
  await change('location', false, 404);
  await expectRefused(desk, reference, {}, 'outside_schedule');
});
