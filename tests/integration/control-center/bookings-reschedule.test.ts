import { expect, test } from 'vitest';
import { db, pool } from '@/lib/platform/db';
import { specialistLocks } from '@/lib/platform/locks';
import { eventsOf } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { makeSpecialist } from '@/tests/support/factories';
import { holdLock } from '@/tests/support/held-lock';
import { expectIntact } from '@/tests/support/invariants';
import { moveToPast } from '@/tests/support/past';
import { sharedServer } from '@/tests/support/shared';
import { makeMember } from './applications-people';

type Slots = { slots: { start_time: string; specialist_ids: string[] }[]; next_date: string | null };

async function makeFrontDesk(options?: Parameters<typeof makeDesk>[0]) {
  const house = await makeDesk(options);
  const desk = await makeMember(house.tenant.id, 'FRONT_DESK', 'Dora Desk');
  const move = (reference: string, start_time: string, more: object = {}) =>
    desk.mutate('bookings.reschedule', { reference, expected_version: 1, date: dayAhead(), start_time, ...more });
  const slots = async (reference: string, more: object = {}) => {
    const reply = await desk.query('bookings.slots', { reference, date: dayAhead(), ...more });
    expect(reply.status).toBe(200);
    return reply.data as Slots;
  };
  const freeStarts = async (reference: string, more: object = {}) =>
    (await slots(reference, more)).slots.map(({ start_time }) => start_time);
  return { ...house, desk, move, slots, freeStarts };
}

test('the front desk moves a booking: one event with the actor owner, an audit entry, and the old time is free', async () => {
  const { tenant, book, read, reschedule, starts, move, ids } = await makeFrontDesk();
  const { reference } = await book('10:00');
  expect(await move(reference, '12:00')).toMatchObject({ status: 200, data: { version: 2 } });
  expect((await read(reference)).data.booking).toMatchObject({ version: 2, start_time: '12:00', status: 'confirmed' });
  const free = await starts();
  expect([free.includes('10:00'), free.includes('12:00')]).toEqual([true, false]);
  const [, event] = await eventsOf(reference);
  expect(event).toMatchObject({ type: 'booking.rescheduled', version: 2, actor: 'owner', request_id: null });
  expect(JSON.parse(String(event?.payload)).data).toMatchObject({
    actor: 'owner',
    booking: { version: 2, start_time: '12:00' },
    previous: { date: dayAhead(), start_time: '10:00', specialist_id: ids[0] },
  });
  const day = { service: 'Haircut', date: dayAhead(), specialist_id: ids[0] };
  expect(await db().auditLog.findMany({ where: { objectId: reference } })).toMatchObject([
    {
      action: 'booking.rescheduled',
      before: { version: 1, start_time: '10:00', ...day },
      after: { version: 2, start_time: '12:00', ...day },
    },
  ]);
  // The partner does not know about the owner's change yet, so the partner's request expects version 1.
  const stale = await reschedule(reference, { expected_version: 1, date: dayAhead(), start_time: '14:00' });
  expect(stale).toMatchObject({ status: 409, error: { code: 'booking_version_conflict' } });
  await expectIntact(tenant.id);
});

test('a move waits for a write that holds the lock of a specialist, so that moves to each other’s slots do not deadlock', async () => {
  const { book, move, ids } = await makeFrontDesk({ specialists: 2 });
  const { reference } = await book('10:00', { specialist_id: ids[0] });
  const held = await holdLock(sharedServer().databaseUrl, specialistLocks([ids[1] ?? '']));
  const moving = move(reference, '12:00', { specialist_id: ids[0] });
  await held.untilWaiting();
  await held.release();
  expect(await moving).toMatchObject({ status: 200, data: { version: 2 } });
});

test('offers the slots of the partner API: own time free, other bookings, lead time, and specialists respected', async () => {
  const { book, starts, slots, freeStarts, ids } = await makeFrontDesk({ specialists: 2 });
  const { reference } = await book('10:00', { specialist_id: ids[0] });
  await book('11:00', { specialist_id: ids[0] });
  await book('11:00', { specialist_id: ids[1] });
  const free = await freeStarts(reference);
  expect(free).toEqual(await starts({ exclude_reference: reference }));
  expect([free.includes('10:00'), free.includes('11:00'), free.includes('12:00')]).toEqual([true, false, true]);
  const own = await slots(reference, { specialist_id: ids[1] });
  for (const { specialist_ids } of own.slots) expect(specialist_ids).toEqual([ids[1]]);
  const yesterday = await slots(reference, { date: dayAhead(-1) });
  expect(yesterday.slots).toEqual([]);
  expect(yesterday.next_date).not.toBeNull();
  expect(await slots(reference, { date: '9999-12-31' })).toMatchObject({ slots: [], next_date: null });
});

test('moves to another specialist, and into a group only while it has a seat', async () => {
  const { tenant, book, move, freeStarts, read, ids } = await makeFrontDesk({
    service: { capacity: 2 },
    specialists: 2,
  });
  await book('10:00', { specialist_id: ids[0] });
  const { reference } = await book('12:00', { specialist_id: ids[1] });
  const other = await book('13:00', { specialist_id: ids[1] });
  expect(await move(reference, '10:00', { specialist_id: ids[0] })).toMatchObject({ status: 200 });
  expect((await read(reference)).data.booking).toMatchObject({ start_time: '10:00', specialist_id: ids[0] });
  expect(await freeStarts(other.reference, { specialist_id: ids[0] })).not.toContain('10:00');
  expect(await move(other.reference, '10:00', { specialist_id: ids[0] })).toMatchObject({
    status: 409,
    error: { code: 'booking_unavailable', reason: 'slot_taken' },
  });
  await expectIntact(tenant.id);
});

test('refuses an outdated version, a final state, a hidden service, and an appointment whose claim was removed', async () => {
  const { tenant, book, move, desk, service } = await makeFrontDesk();
  const first = await book('10:00');
  const second = await book('11:00');
  const past = await book('12:00');
  expect(await move(first.reference, '14:00', { expected_version: 2 })).toMatchObject({
    status: 409,
    error: { code: 'version_conflict' },
  });
  expect(await move(first.reference, '10:00')).toMatchObject({ error: { reason: 'same_slot' } });
  expect(await move(first.reference, '11:00')).toMatchObject({ error: { reason: 'slot_taken' } });
  await desk.mutate('bookings.change', { reference: second.reference, action: 'cancel', expected_version: 1 });
  const final = { status: 409, error: { code: 'booking_unavailable', reason: 'booking_not_active' } };
  expect(await move(second.reference, '14:00', { expected_version: 2 })).toMatchObject(final);
  expect(await desk.query('bookings.slots', { reference: second.reference, date: dayAhead() })).toMatchObject(final);
  await moveToPast(past.reference);
  await pool().query(
    `WITH booking AS (UPDATE bookings SET claim_id = NULL, claim_removed_at = now() WHERE reference = $1 RETURNING 1)
     DELETE FROM slot_claims WHERE tenant_id = $2 AND ends_at < now()`,
    [past.reference, tenant.id],
  );
  expect(await move(past.reference, '14:00')).toMatchObject(final);
  expect((await desk.query('bookings.get', { reference: past.reference })).data).toMatchObject({ movable: false });
  expect((await desk.query('bookings.get', { reference: first.reference })).data).toMatchObject({ movable: true });
  await db().service.update({ where: { id: service.id }, data: { published: false } });
  expect(await move(first.reference, '14:00')).toMatchObject({ error: { reason: 'service_unpublished' } });
});

test('the deadline for changes by the partner does not apply', async () => {
  const { book, move, reschedule } = await makeFrontDesk({ service: { cancellationCutoffMinutes: 60 * 24 * 30 } });
  const { reference, date } = await book('10:00');
  expect(await reschedule(reference, { expected_version: 1, date, start_time: '12:00' })).toMatchObject({
    error: { reason: 'outside_cancellation_window' },
  });
  expect(await move(reference, '12:00')).toMatchObject({ status: 200 });
});

test('says why a booking cannot be moved to a start, in agreement with the move, and changes nothing', async () => {
  const { tenant, book, desk, move, read, ids } = await makeFrontDesk({ specialists: 2 });
  const { reference } = await book('10:00', { specialist_id: ids[0] });
  await book('11:00', { specialist_id: ids[1] });
  const elsewhere = await makeSpecialist(tenant.id);
  const check = async (start_time: string, specialist_id: string | null, date = dayAhead()) =>
    (await desk.query('bookings.check_move', { reference, date, start_time, specialist_id })).data;
  const refused = [
    ['11:00', ids[1], dayAhead(), 'slot_taken'],
    ['20:00', null, dayAhead(), 'outside_schedule'],
    ['11:05', ids[0], dayAhead(), 'off_grid'],
    ['11:00', elsewhere.id, dayAhead(), 'specialist_unavailable'],
    ['11:00', null, dayAhead(-1), 'lead_time'],
  ] as const;
  for (const [start, specialist_id = null, date, reason] of refused) {
    expect(await check(start, specialist_id, date)).toEqual({ reason });
    expect((await move(reference, start, { specialist_id, date })).error?.reason).toBe(reason);
  }
  expect(await check('11:00', ids[0] ?? null)).toEqual({ reason: null });
  expect((await read(reference)).data.booking).toMatchObject({ version: 1, start_time: '10:00' });
});

test('returns the slots of up to seven days at once', async () => {
  const { book, slots, desk } = await makeFrontDesk();
  const { reference } = await book('10:00');
  const each = await Promise.all(
    [7, 8, 9].map(async (ahead) => (await slots(reference, { date: dayAhead(ahead) })).slots),
  );
  expect((await slots(reference, { days: 3 })).slots).toEqual(each.flat());
  expect((await desk.query('bookings.slots', { reference, date: dayAhead(), days: 8 })).status).toBe(400);
});
