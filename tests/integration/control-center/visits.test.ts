import { expect, test } from 'vitest';
import { completeVisits } from '@/lib/booking/bookings/auto-complete';
import { changeByOwner } from '@/lib/booking/bookings/owner-change';
import { db, pool } from '@/lib/platform/db';
import { localTimestamp, zoneOf } from '@/lib/platform/time-zones';
import { claimsOf, eventsOf, everythingOf } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { expectIntact } from '@/tests/support/invariants';
import { moveToPast } from '@/tests/support/past';
import { makeMember } from './applications-people';

const HOUR = 3_600_000;

type Listed = { date: string; bookings: { reference: string }[]; truncated: boolean };
type Detail = { actions: string[]; timeline: object[] };

async function makeHouse() {
  const house = await makeDesk();
  const desk = await makeMember(house.tenant.id, 'FRONT_DESK', 'Dana Desk');
  const owner = await makeMember(house.tenant.id, 'OWNER', 'Olivia Owner');
  const bookAll = async (...starts: string[]) => {
    const references: string[] = [];
    for (const start of starts) references.push((await house.book(start)).reference);
    return references;
  };
  const change = (action: string, bookings: readonly (readonly [string, number])[]) =>
    desk.mutate('bookings.visits.change', {
      action,
      bookings: bookings.map(([reference, expected_version]) => ({ reference, expected_version })),
    });
  const statuses = async (references: readonly string[]) =>
    Promise.all(references.map(async (reference) => (await house.read(reference)).data.booking.status));
  return { ...house, desk, owner, bookAll, change, statuses };
}

test('lists the ended visits of a day, completes those that are chosen, and undoes that', async () => {
  const { tenant, location, desk, bookAll, change, statuses } = await makeHouse();
  const references = await bookAll('09:00', '10:00', '11:00', '12:00');
  const [first = '', second = '', missed = '', gone = ''] = references;
  const [upcoming = ''] = await bookAll('13:00');
  await moveToPast(references, 8);
  const visits = async (input: object) => (await desk.query('bookings.visits.list', input)).data as Listed;
  const shown = (await visits({ date: dayAhead(-1) })).bookings.map(({ reference }) => reference);
  expect(shown).toEqual(references);
  // By default, yesterday at the location.
  const yesterday = localTimestamp(zoneOf(location.timeZone), new Date(Date.now() - 24 * HOUR)).slice(0, 10);
  expect(await visits({ date: null, location_id: location.id })).toMatchObject({ truncated: false, date: yesterday });
  expect((await visits({ date: dayAhead() })).bookings).toEqual([]);
  await desk.mutate('bookings.change', { reference: gone, action: 'cancel', expected_version: 1 });
  const done = await change('complete', [
    [first, 1],
    [gone, 1],
    [second, 1],
    [upcoming, 1],
  ]);
  // Somebody else has canceled one, and one has not begun. The others do not wait for them.
  expect(done.data).toEqual({
    changed: [first, second].map((reference) => ({ reference, version: 2 })),
    refused: [gone, upcoming],
  });
  expect(await statuses([first, second, missed, upcoming])).toEqual([
    'completed',
    'completed',
    'confirmed',
    'confirmed',
  ]);
  const undone = await change('reopen', [
    [first, 2],
    [missed, 1],
  ]);
  expect(undone.data).toEqual({ changed: [{ reference: first, version: 3 }], refused: [missed] });
  expect(await statuses([first, second])).toEqual(['confirmed', 'completed']);
  const before = await everythingOf(tenant.id);
  const unknown = 'pbr_00000000000000000000000000';
  expect(
    await change('complete', [
      [first, 3],
      [unknown, 1],
    ]),
  ).toMatchObject({ status: 404 });
  expect(await change('complete', Array(51).fill([first, 3]))).toMatchObject({ status: 400 });
  expect(await everythingOf(tenant.id)).toEqual(before);
  // The payloads of a booking that was only moved to the past would differ from it.
  await desk.mutate('bookings.change', { reference: missed, action: 'no_show', expected_version: 1 });
  await expectIntact(tenant.id);
});

test.for(['complete', 'no_show'] as const)(
  'undoes %s within 24 hours: new version, event, and audit entry',
  async (action) => {
    const { tenant, desk, read, bookAll, statuses } = await makeHouse();
    const [reference = '', late = ''] = await bookAll('10:00', '11:00');
    await moveToPast([reference, late]);
    const act = (of: string, name: string, expected_version: number) =>
      desk.mutate('bookings.change', { reference: of, action: name, expected_version });
    expect(await act(reference, 'reopen', 1)).toMatchObject({ status: 409, error: { code: 'not_reopenable' } });
    for (const one of [reference, late]) await act(one, action, 1);
    const detailOf = async () => (await desk.query('bookings.get', { reference })).data as Detail;
    expect((await detailOf()).actions).toEqual(['reopen']);
    expect(await act(reference, 'reopen', 1)).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
    expect(await act(reference, 'reopen', 2)).toMatchObject({ status: 200, data: { version: 3 } });
    expect((await read(reference)).data.booking).toMatchObject({ status: 'confirmed', version: 3, cancelled_by: null });
    expect(await claimsOf(tenant.id)).toHaveLength(2);
    const event = (await eventsOf(reference)).at(-1);
    expect(event).toMatchObject({ type: 'booking.updated', version: 3, actor: 'owner' });
    const { data } = JSON.parse(String(event?.payload));
    const { date, start_time, starts_at, specialist_id } = data.booking;
    expect(data).toMatchObject({ actor: 'owner', cause: 'reopened', booking: { status: 'confirmed', version: 3 } });
    expect(data.previous).toEqual({ date, start_time, starts_at, specialist_id });
    expect(await db().auditLog.findFirst({ where: { objectId: reference, action: 'booking.reopened' } })).toMatchObject(
      {
        actorKind: 'owner',
        before: { version: 2 },
        after: { status: 'confirmed', version: 3 },
      },
    );
    const detail = await detailOf();
    expect(detail.timeline[0]).toMatchObject({ type: 'booking.updated', actor: 'owner', by: 'Dana Desk', version: 3 });
    expect(detail.actions).toEqual(['complete', 'no_show', 'cancel']);
    // It can be settled and undone again.
    expect(await act(reference, 'no_show', 3)).toMatchObject({ status: 200 });
    expect(await act(reference, 'reopen', 4)).toMatchObject({ status: 200, data: { version: 5 } });
    const { updatedAt } = await db().booking.findUniqueOrThrow({ where: { reference: late } });
    const change = { tenantId: tenant.id, actor: { kind: 'system' }, reference: late, expectedVersion: 2 } as const;
    const reopenAt = (milliseconds: number) =>
      changeByOwner(new Date(updatedAt.getTime() + milliseconds), { ...change, action: 'reopen', cancelReason: null });
    await expect(reopenAt(24 * HOUR + 1)).rejects.toMatchObject({ code: 'not_reopenable' });
    await expect(reopenAt(24 * HOUR)).resolves.toEqual({ version: 3 });
    expect(await statuses([reference, late])).toEqual(['confirmed', 'confirmed']);
    await expectIntact(tenant.id);
  },
);

test('the database keeps a cancellation final, and an undo has its time', async () => {
  const { desk, bookAll } = await makeHouse();
  const [gone = '', done = ''] = await bookAll('10:00', '11:00');
  await moveToPast(done);
  await desk.mutate('bookings.change', { reference: gone, action: 'cancel', expected_version: 1 });
  await desk.mutate('bookings.change', { reference: done, action: 'complete', expected_version: 1 });
  const set = (reference: string, status: string) =>
    pool().query(
      `UPDATE bookings SET status = $2::"BookingStatus", cancelled_at = NULL, cancelled_by = NULL WHERE reference = $1`,
      [reference, status],
    );
  for (const [reference, status] of [
    [gone, 'confirmed'],
    [gone, 'completed'],
    [done, 'confirmed'],
    [done, 'no_show'],
  ] as const)
    await expect(set(reference, status)).rejects.toMatchObject({ constraint: 'bookings_final' });
});

test('completes visits automatically after the hours that an owner sets, once, and not those that were undone', async () => {
  const { tenant, owner, desk, bookAll, statuses } = await makeHouse();
  const old = await bookAll('09:00');
  await moveToPast(old, 8);
  const references = await bookAll('09:00', '10:00', '11:00');
  const [first = '', missed = ''] = references;
  const rows = await db().booking.findMany({ where: { reference: { in: references } }, orderBy: { startsAt: 'asc' } });
  const [end = 0, , lastEnd = 0] = rows.map(({ endsAt }) => endsAt.getTime());
  const at = (milliseconds: number) => completeVisits(new Date(milliseconds));
  expect((await owner.query('bookings.visits.automatic')).data).toEqual({ hours: null });
  await at(lastEnd + 999 * HOUR);
  expect(await statuses(references)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  expect(await desk.mutate('bookings.visits.set_automatic', { hours: 5 })).toMatchObject({ status: 403 });
  for (const hours of [0, 721, 1.5])
    expect(await owner.mutate('bookings.visits.set_automatic', { hours })).toMatchObject({
      status: 400,
      error: { fields: [{ path: 'hours' }] },
    });
  expect(await owner.mutate('bookings.visits.set_automatic', { hours: 5 })).toMatchObject({ data: { hours: 5 } });
  await at(end + 5 * HOUR - 1);
  expect(await statuses(references)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  // Two processes at the same moment.
  await Promise.all([at(end + 5 * HOUR), at(end + 5 * HOUR)]);
  expect(await statuses([...references, ...old])).toEqual(['completed', 'confirmed', 'confirmed', 'confirmed']);
  expect(await eventsOf(first)).toMatchObject([{}, { type: 'booking.completed', version: 2, actor: 'system' }]);
  expect(await db().auditLog.findMany({ where: { objectId: first } })).toMatchObject([
    { action: 'booking.completed', actorKind: 'system' },
  ]);
  const by = { tenantId: tenant.id, actor: { kind: 'system' }, expectedVersion: null, cancelReason: null } as const;
  await changeByOwner(new Date(end + 6 * HOUR), { ...by, reference: first, action: 'reopen' });
  await changeByOwner(new Date(lastEnd + HOUR), { ...by, reference: missed, action: 'no_show' });
  await db().tenant.update({ where: { id: tenant.id }, data: { suspendedAt: new Date() } });
  await at(lastEnd + 6 * HOUR);
  expect(await db().booking.count({ where: { tenantId: tenant.id, status: 'completed' } })).toBe(0);
  await db().tenant.update({ where: { id: tenant.id }, data: { suspendedAt: null } });
  await at(lastEnd + 6 * HOUR);
  // The undone visit is left to the business, and the visit before the switch too.
  expect(await statuses([...references, ...old])).toEqual(['confirmed', 'no_show', 'completed', 'confirmed']);
  await owner.mutate('bookings.visits.set_automatic', { hours: null });
  expect(await db().tenant.findUniqueOrThrow({ where: { id: tenant.id } })).toMatchObject({
    completeAfterHours: null,
    completeSince: null,
  });
  const entries = await db().auditLog.findMany({
    where: { tenantId: tenant.id, action: 'automatic_completion.changed' },
    orderBy: { at: 'asc' },
  });
  expect(entries.map(({ after }) => after)).toEqual([{ complete_after_hours: 5 }, { complete_after_hours: null }]);
  await desk.mutate('bookings.change', { reference: old[0], action: 'no_show', expected_version: 1 });
  await expectIntact(tenant.id);
});
