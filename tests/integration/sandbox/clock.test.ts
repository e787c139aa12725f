import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { issueKey } from '@/lib/access/applications/keys';
import { MAX_CLOCK_OFFSET } from '@/lib/contract/sandbox';
import { db } from '@/lib/platform/db';
import { makeMember } from '@/tests/integration/control-center/applications-people';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication } from '@/tests/support/factories';
import { DAY, sandboxOf } from '@/tests/support/sandbox';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';

const RULES = { minLeadMinutes: 60, maxAdvanceDays: 30, cancellationCutoffMinutes: 1_440 };
const HOUR = 3_600;

/** A business with an application whose clock is moved, and another one. */
async function makeHouse() {
  const desk = await makeDesk({ service: RULES });
  const other = await makeApplication(desk.tenant.id);
  const offset = async (id = desk.applicationId) =>
    (await db().application.findUniqueOrThrow({ where: { id } })).clockOffsetSeconds;
  return { ...desk, ...sandboxOf(desk.key), other: { ...other, ...partnerOf(other.key) }, offset };
}

describe.concurrent('the clock of an application in TEST', () => {
  test('moves its deadlines, lead time, and horizon, and those of no other application', async () => {
    const house = await makeHouse();
    const asked = { service_id: house.service.id, location_id: house.location.id };
    const [soon, later] = [
      { ...asked, date: dayAhead(1) },
      { ...asked, date: dayAhead(32) },
    ];
    const key = randomUUID();
    const booking = await house.book('10:00', { date: dayAhead(3) }, { key });
    const replayed = () => house.create(house.body('10:00', { date: dayAhead(3) }), { key });
    expect([booking.cancellable, (await house.slots(later)).data.slots]).toEqual([true, []]);
    const real = Date.now();
    const advanced = await house.advance(3 * DAY);
    const { now, real_time, offset_seconds } = advanced.data.clock;
    expect([advanced.status, offset_seconds, Date.parse(now) - Date.parse(real_time)]).toEqual([
      200,
      3 * DAY,
      3 * DAY * 1_000,
    ]);
    expect(Math.abs(Date.parse(real_time) - real)).toBeLessThan(10_000);
    const { data } = await house.read(booking.reference);
    expect([data.booking.cancellable, data.booking.reschedulable]).toEqual([false, false]);
    expect((await house.cancel(booking.reference)).error.reason).toBe('outside_cancellation_window');
    expect((await house.create(house.body('11:00', { date: dayAhead(1) }))).error.reason).toBe('lead_time');
    expect((await house.slots(soon)).data.slots).toEqual([]);
    expect((await house.slots(later)).data.slots.length).toBeGreaterThan(0);
    // What is made now has the time of the clock, and idempotency keys still belong to real time.
    const made = await house.book('10:00', { date: dayAhead(32) });
    expect(Date.parse(made.created_at) - real).toBeGreaterThan(2.9 * DAY * 1_000);
    expect((await replayed()).headers['idempotent-replayed']).toBe('true');
    // The other application shares the time that is sold, and nothing else.
    expect((await house.other.slots(soon)).data.slots.length).toBeGreaterThan(0);
    expect((await house.other.slots(later)).data.slots).toEqual([]);
    expect(await house.offset(house.other.applicationId)).toBe(0);
    const back = await house.backToRealTime();
    expect(back.data.clock).toMatchObject({ offset_seconds: 0, now: back.data.clock.real_time });
    expect((await house.read(booking.reference)).data.booking.cancellable).toBe(true);
    expect((await replayed()).headers['idempotent-replayed']).toBe('true');
    expect((await house.slots(soon)).data.slots.length).toBeGreaterThan(0);
    expect((await house.cancel(booking.reference)).status).toBe(200);
  });

  test('moves the expiry of its keys, and an expired key can still set it back', async () => {
    const house = await makeHouse();
    const by = { tenantId: house.tenant.id, applicationId: house.applicationId, actor: { kind: 'system' } as const };
    const expiresAt = new Date(Date.now() + DAY * 1_000);
    const issued = await issueKey(new Date(), { ...by, name: 'Short', expiresAt });
    const [short, clock] = [partnerOf(issued.key), sandboxOf(issued.key)];
    const read = () => short.find({ external_reference: 'order-4711' });
    expect((await read()).status).toBe(200);
    expect((await clock.advance(2 * DAY)).status).toBe(200);
    expect((await read()).status).toBe(401);
    expect((await house.find({ external_reference: 'order-4711' })).status).toBe(200);
    expect((await clock.backToRealTime()).status).toBe(200);
    expect((await read()).status).toBe(200);
  });

  test('is not moved by a body that is not valid', async () => {
    const house = await makeHouse();
    await house.advance(60);
    for (const [body, path] of [
      [{}, 'advance_seconds'],
      [{ advance_seconds: 1, real_time: true }, 'advance_seconds'],
      [{ advance_seconds: -1 }, 'advance_seconds'],
      [{ advance_seconds: 1.5 }, 'advance_seconds'],
      [{ advance_seconds: '60' }, 'advance_seconds'],
      [{ advance_seconds: MAX_CLOCK_OFFSET + 1 }, 'advance_seconds'],
      [{ advance_seconds: MAX_CLOCK_OFFSET - 30 }, 'advance_seconds'],
      [{ to: '2030-01-01T10:00:00' }, 'to'],
      [{ to: 'tomorrow' }, 'to'],
      [{ to: '2020-01-01T10:00:00Z' }, 'to'],
      [{ to: new Date().toISOString() }, 'to'],
      [{ to: '2100-01-01T00:00:00Z' }, 'to'],
      [{ to: '9999-12-31T23:59:59Z' }, 'to'],
      [{ to: 'x'.repeat(10_000) }, 'to'],
      [{ real_time: false }, 'real_time'],
      [{ advance_seconds: 1, days: 3 }, 'days'],
    ] as const)
      expect(await house.clock(body), JSON.stringify(body)).toMatchObject({
        status: 400,
        error: { code: 'invalid_request', fields: [{ path }] },
      });
    expect(await house.offset()).toBe(60);
  });

  test.sequential('adds up calls at the same time, and a repeated one counts once', async () => {
    const house = await makeHouse();
    const key = randomUUID();
    const once = Array.from({ length: 4 }, () => house.clock({ advance_seconds: 1_000 }, key));
    const each = Array.from({ length: 6 }, () => house.advance(60));
    const replies = await Promise.all([...once, ...each]);
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await house.offset()).toBe(1_360);
    expect((await house.clock({ advance_seconds: 1_000 }, key)).headers['idempotent-replayed']).toBe('true');
    const to = new Date(Date.now() + 2 * DAY * 1_000).toISOString();
    const exact = (await house.clock({ to })).data.clock;
    expect(Math.abs(Date.parse(exact.now) - Date.parse(to))).toBeLessThanOrEqual(1_000);
    expect(await house.offset()).toBe(exact.offset_seconds);
    const entries = await db().auditLog.findMany({
      where: { objectId: house.applicationId, action: 'application.clock_changed' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ actorKind, actorId }) => [actorKind, actorId])).toEqual(
      Array(8).fill(['application', house.applicationId]),
    );
    expect(entries.at(-1)?.after).toEqual({ clock_offset_seconds: exact.offset_seconds });
    for (const { at } of entries) expect(at.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test('is shown to the members, and an owner sets it back', async () => {
    const house = await makeHouse();
    await house.advance(DAY);
    const [owner, support] = [await makeMember(house.tenant.id), await makeMember(house.tenant.id, 'SUPPORT')];
    const input = { application_id: house.applicationId };
    expect((await support.query('applications.get', input)).data).toMatchObject({ clock_offset_seconds: DAY });
    expect((await support.mutate('applications.reset_clock', input)).status).toBe(403);
    expect((await owner.mutate('applications.reset_clock', input)).data).toEqual({ clock_offset_seconds: 0 });
    expect((await owner.query('applications.get', input)).data).toMatchObject({ clock_offset_seconds: 0 });
    await until(
      async () => (await house.advance(0)).data.clock.offset_seconds,
      (offset) => offset === 0,
    );
    const stranger = await makeMember((await makeDesk()).tenant.id);
    expect((await stranger.mutate('applications.reset_clock', input)).status).toBe(404);
  });

  test('emits booking.upcoming at once when it reaches the hours before the start, and never twice', async () => {
    const house = await makeHouse();
    await addEndpoint(house.tenant.id, house.applicationId, 'http://127.0.0.1:59998/');
    const { reference, starts_at } = await house.book('10:00', { date: dayAhead(5) });
    const left = () => Math.floor((Date.parse(starts_at) - Date.now()) / 1_000);
    const emitted = async () => {
      const events = await db().event.findMany({
        where: { bookingReference: reference, type: 'booking.upcoming' },
        include: { delivery: true },
        orderBy: { at: 'asc' },
      });
      return events.map(({ payload, delivery }) => [JSON.parse(payload).data.hours_before, delivery ? 1 : 0]);
    };
    await house.advance(left() - 25 * HOUR);
    expect(await emitted()).toEqual([]);
    await house.advance(2 * HOUR);
    expect(await emitted()).toEqual([[24, 1]]);
    await house.advance(HOUR);
    expect(await emitted()).toEqual([[24, 1]]);
    await house.advance(21 * HOUR);
    expect(await emitted()).toEqual([
      [24, 1],
      [2, 1],
    ]);
    // Attempts follow real time, also those of what is made and changed now.
    const made = await house.book('10:00', { date: dayAhead(12) });
    const moved = { reference: made.reference, action: 'reschedule', date: dayAhead(13), start_time: '10:00' };
    expect([
      (await house.act(moved)).status,
      (await house.cancel(made.reference, { expected_version: 2 })).status,
    ]).toEqual([200, 200]);
    const deliveries = await db().delivery.findMany({ where: { applicationId: house.applicationId } });
    expect(deliveries.length).toBe(6);
    for (const { createdAt } of deliveries) expect(createdAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    await house.backToRealTime();
    await house.advance(left() - 3 * HOUR);
    await house.advance(2 * HOUR);
    expect(await emitted()).toEqual([
      [24, 1],
      [2, 1],
    ]);
  });
});

describe.concurrent('an action of the owner in TEST', () => {
  test('completes, cancels, and moves a booking as the owner would', async () => {
    const house = await makeHouse();
    const book = async (start: string) => (await house.book(start, { date: dayAhead(2) })).reference;
    const [done, missed, gone, moved] = [
      await book('09:00'),
      await book('10:00'),
      await book('11:00'),
      await book('12:00'),
    ];
    const refused = (reason: string) => ({ status: 409, error: { code: 'booking_unavailable', reason } });
    for (const action of ['complete', 'no_show'])
      expect(await house.act({ reference: done, action })).toMatchObject(refused('not_started'));
    const to = { date: dayAhead(4), start_time: '13:00' };
    const move = { reference: moved, action: 'reschedule', ...to };
    await house.advance(1.5 * DAY);
    expect((await house.cancel(gone)).error.reason).toBe('outside_cancellation_window');
    const key = randomUUID();
    const canceled = await house.act({ reference: gone, action: 'cancel' }, key);
    expect(canceled.data.booking).toMatchObject({ status: 'cancelled', version: 2, cancelled_by: 'owner' });
    const again = await house.act({ reference: gone, action: 'cancel' }, key);
    expect([again.headers['idempotent-replayed'], again.data]).toEqual(['true', canceled.data]);
    expect(await house.act({ reference: gone, action: 'cancel' })).toMatchObject(refused('booking_not_active'));
    expect((await house.act(move)).data.booking).toMatchObject({ version: 2, status: 'confirmed', ...to });
    expect(await house.act(move)).toMatchObject(refused('same_slot'));
    expect(await house.act({ ...move, start_time: '03:00' })).toMatchObject(refused('outside_schedule'));
    expect(await house.act({ ...move, date: dayAhead(1) })).toMatchObject(refused('lead_time'));
    await house.advance(DAY);
    expect((await house.act({ reference: done, action: 'complete' })).data.booking.status).toBe('completed');
    expect((await house.act({ reference: missed, action: 'no_show' })).data.booking.status).toBe('no_show');
    expect((await house.read(done)).data.booking).toMatchObject({ version: 2, change_deadline: null });
    expect(await house.act({ reference: gone, action: 'reopen' })).toMatchObject(refused('not_reopenable'));

    const where = { tenantId: house.tenant.id };
    const events = await db().event.findMany({ where: { ...where, version: 2 }, orderBy: { bookingReference: 'asc' } });
    expect(events.map(({ type, actor }) => `${type} ${actor}`).sort()).toEqual(
      ['cancelled', 'completed', 'no_show', 'rescheduled'].map((type) => `booking.${type} owner`),
    );
    const entries = await db().auditLog.findMany({ where: { ...where, objectKind: 'booking' } });
    expect(entries.map(({ actorKind }) => actorKind)).toEqual(Array(4).fill('application'));
    for (const { at } of entries) expect(at.getTime()).toBeLessThanOrEqual(Date.now());
    const reopened = await house.act({ reference: done, action: 'reopen' });
    expect(reopened.data.booking).toMatchObject({ status: 'confirmed', version: 3 });
    // A day of the application's clock.
    await house.advance(DAY + 1);
    expect(await house.act({ reference: missed, action: 'reopen' })).toMatchObject(refused('not_reopenable'));
  });

  test('reaches only bookings at locations of the application', async () => {
    const house = await makeHouse();
    const { reference } = await house.book();
    await db().application.update({ where: { id: house.applicationId }, data: { allLocations: false } });
    await house.advance(1);
    expect(await house.act({ reference, action: 'cancel' })).toMatchObject({
      status: 403,
      error: { reason: 'location' },
    });
    expect((await house.other.read(reference)).status).toBe(404);
    expect(await db().booking.count({ where: { reference, status: 'confirmed' } })).toBe(1);
  });

  test('with a body that is not valid gets a 400', async () => {
    const { act } = await makeHouse();
    for (const [more, path] of [
      [{ action: undefined }, 'action'],
      [{ action: 'delete' }, 'action'],
      [{ action: 'reschedule', start_time: '10:00' }, 'date'],
      [{ action: 'reschedule', date: '2030-01-01' }, 'start_time'],
      [{ date: '2030-01-01' }, 'date'],
      [{ expected_version: 1 }, 'expected_version'],
    ] as const) {
      const body = { reference: 'pbr_00000000000000000000000000', action: 'cancel', ...more };
      expect(await act(body), JSON.stringify(body)).toMatchObject({ status: 400, error: { fields: [{ path }] } });
    }
  });
});
