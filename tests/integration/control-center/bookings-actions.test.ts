import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { claimsOf, eventsOf, everythingOf } from '@/tests/support/booking-rows';
import { CUSTOMER, dayAhead, makeDesk } from '@/tests/support/bookings';
import { expectIntact } from '@/tests/support/invariants';
import { moveToPast } from '@/tests/support/past';
import { makeMember } from './applications-people';

async function makeHouse(options?: Parameters<typeof makeDesk>[0]) {
  const desk = await makeDesk(options);
  const owner = await makeMember(desk.tenant.id, 'OWNER', 'Olivia Owner');
  const act = (reference: string, action: string, expected_version = 1, more: object = {}) =>
    owner.mutate('bookings.change', { reference, action, expected_version, ...more });
  return { ...desk, owner, act };
}

test('cancels as the owner: frees the seat, increments the version, and records the actor in event and audit log', async () => {
  const { tenant, book, read, cancel, starts, act } = await makeHouse();
  const { reference } = await book('10:00');
  expect(await starts()).not.toContain('10:00');
  const done = await act(reference, 'cancel', 1, { cancel_reason: 'other' });
  expect(done).toMatchObject({ status: 200, data: { version: 2 } });
  expect((await read(reference)).data.booking).toMatchObject({
    version: 2,
    status: 'cancelled',
    cancelled_by: 'owner',
    cancellable: false,
    reschedulable: false,
    change_deadline: null,
    customer: { name: CUSTOMER.name },
  });
  expect(await starts()).toContain('10:00');
  expect(await claimsOf(tenant.id)).toEqual([]);
  const [, event] = await eventsOf(reference);
  expect(event).toMatchObject({ type: 'booking.cancelled', version: 2, actor: 'owner', request_id: null });
  const { data } = JSON.parse(String(event?.payload));
  expect(data).toMatchObject({ actor: 'owner', previous: null, booking: { version: 2, status: 'cancelled' } });
  const about = { service: 'Haircut', date: dayAhead(), start_time: '10:00' };
  expect(await db().auditLog.findMany({ where: { objectId: reference } })).toMatchObject([
    {
      action: 'booking.cancelled',
      actorKind: 'owner',
      objectKind: 'booking',
      before: { status: 'confirmed', version: 1, ...about },
      after: { status: 'cancelled', version: 2, cancel_reason: 'other', ...about },
    },
  ]);
  // The owner's cancellation has created version 2, but this request expects version 1.
  expect(await cancel(reference)).toMatchObject({ status: 409, error: { code: 'booking_version_conflict' } });
  expect(await cancel(reference, { expected_version: 2 })).toMatchObject({
    error: { code: 'booking_unavailable', reason: 'booking_not_active' },
  });
  await expectIntact(tenant.id);
});

test('cancels one booking of a group and keeps the others', async () => {
  const { tenant, book, slotAt, act } = await makeHouse({ service: { capacity: 3 } });
  const [first] = [await book('10:00'), await book('10:00')];
  expect(await slotAt('10:00')).toMatchObject({ available_capacity: 1 });
  await act(first.reference, 'cancel');
  expect(await slotAt('10:00')).toMatchObject({ available_capacity: 2 });
  await expectIntact(tenant.id);
});

test('lets the owner cancel after the cutoff for partners', async () => {
  const { book, cancel, act } = await makeHouse({ service: { cancellationCutoffMinutes: 40_000 } });
  const { reference } = await book('10:00');
  expect(await cancel(reference)).toMatchObject({ error: { reason: 'outside_cancellation_window' } });
  expect(await act(reference, 'cancel')).toMatchObject({ status: 200 });
});

test.for([
  ['complete', 'completed'],
  ['no_show', 'no_show'],
] as const)('allows %s only after the start and keeps the seat taken', async ([action, status]) => {
  const { tenant, book, read, act, owner } = await makeHouse();
  const { reference } = await book('10:00');
  const before = await everythingOf(tenant.id);
  expect(await act(reference, action)).toMatchObject({ status: 409, error: { code: 'not_started' } });
  expect(await everythingOf(tenant.id)).toEqual(before);
  expect((await owner.query('bookings.get', { reference })).data).toMatchObject({ actions: ['cancel'] });
  await moveToPast(reference);
  expect((await owner.query('bookings.get', { reference })).data).toMatchObject({
    actions: ['complete', 'no_show', 'cancel'],
  });
  expect(await act(reference, action)).toMatchObject({ status: 200, data: { version: 2 } });
  expect((await read(reference)).data.booking).toMatchObject({ version: 2, status, cancelled_by: null });
  expect(await claimsOf(tenant.id)).toHaveLength(1);
  expect(await eventsOf(reference)).toMatchObject([{}, { type: `booking.${status}`, actor: 'owner' }]);
  // Only an undo is possible (visits.test.ts).
  for (const next of ['cancel', 'complete', 'no_show']) {
    expect(await act(reference, next, 2)).toMatchObject({ status: 409, error: { reason: 'booking_not_active' } });
  }
  await expectIntact(tenant.id);
});

test('lets the owner cancel after the start', async () => {
  const { tenant, book, act } = await makeHouse();
  const { reference } = await book('10:00');
  await moveToPast(reference);
  expect(await act(reference, 'cancel')).toMatchObject({ status: 200 });
  await expectIntact(tenant.id);
});

test('returns 409 version_conflict for a stale version and changes nothing', async () => {
  const { tenant, book, reschedule, act } = await makeHouse();
  const { reference } = await book('10:00');
  await reschedule(reference, { expected_version: 1, date: dayAhead(), start_time: '11:00' });
  const before = await everythingOf(tenant.id);
  for (const version of [1, 3]) {
    expect(await act(reference, 'cancel', version)).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
  }
  expect(await everythingOf(tenant.id)).toEqual(before);
  expect(await db().auditLog.count({ where: { objectId: reference } })).toBe(0);
});

test('applies only one of several concurrent cancellations by owner and partner', async () => {
  const { tenant, book, cancel, act } = await makeHouse({ service: { capacity: 2 } });
  for (const start of ['09:00', '10:00', '11:00', '12:00']) {
    const [one] = [await book(start), await book(start)];
    const answers = await Promise.all([
      act(one.reference, 'cancel'),
      cancel(one.reference),
      act(one.reference, 'cancel'),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await eventsOf(one.reference)).toHaveLength(2);
  }
  await expectIntact(tenant.id);
});

test('rejects an invalid reference, action or version and changes nothing', async () => {
  const { book, act } = await makeHouse();
  const { reference } = await book('10:00');
  expect(await act('pbr_nothing', 'cancel')).toMatchObject({ status: 404 });
  expect(await act(reference, 'reschedule')).toMatchObject({ status: 400, error: { fields: [{ path: 'action' }] } });
  for (const version of [0, 1.5, 2_147_483_648]) {
    expect(await act(reference, 'cancel', version)).toMatchObject({
      status: 400,
      error: { fields: [{ path: 'expected_version' }] },
    });
  }
  expect(await eventsOf(reference)).toHaveLength(1);
});
