import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { setOwnSystem } from '@/lib/access/applications/applications';
import { BASE_PATH, deleteBusyTime, putBusyTime } from '@/lib/contract/operations';
import { db, pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { catalogChanged, makeApplication, makeLocation, makeSpecialist, offer } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
const HOUR = { durationMinutes: 60, slotIntervalMinutes: 60 };

/** A salon in which an own system, a till, pushes busy times. */
async function makeTill(policy: Parameters<typeof makeApplication>[1] = {}) {
  const salon = await makeDesk({ service: HOUR });
  const tenantId = salon.tenant.id;
  const till = await makeApplication(tenantId, policy);
  const by = { tenantId, actor: { kind: 'system' } as const, applicationId: till.applicationId };
  await setOwnSystem(new Date(), { ...by, ownSystem: true });
  return { ...salon, till, by, ...machine(till.key), where: { tenantId, applicationId: till.applicationId } };
}

/** The calls of an own system. */
function machine(key: string) {
  const client = createClient({ origin, key });
  return {
    put: (id: string, body: object, idempotencyKey: string = randomUUID()) =>
      client(`${BASE_PATH}/busy/${id}`, {
        operation: putBusyTime,
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(body),
      }),
    remove: (id: string) => client(`${BASE_PATH}/busy/${id}`, { operation: deleteBusyTime, method: 'DELETE' }),
  };
}

type Till = Awaited<ReturnType<typeof makeTill>>;

/** A body that makes the specialist busy at a local time of the salon in Berlin. */
const at = ({ location, ids }: Till, from: string, to: string, more: object = {}) => ({
  location_id: location.id,
  specialist_id: ids[0],
  // The offset is stated in UTC, so that the test does not depend on daylight saving.
  starts_at: utc(location.timeZone, from),
  ends_at: utc(location.timeZone, to),
  ...more,
});

function utc(timeZone: string, time: string): string {
  expect(timeZone).toBe('Europe/Berlin');
  const offset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(new Date(`${dayAhead()}T12:00:00Z`))
    .find(({ type }) => type === 'timeZoneName')
    ?.value.slice(3);
  return `${dayAhead()}T${time}:00${offset}`;
}

describe('an own system', () => {
  test('pushes, changes, and removes a busy time, each as often as it likes', async () => {
    const till = await makeTill();
    const all = await till.starts();
    const key = randomUUID();
    const first = await till.put('till-1', at(till, '11:15', '11:45'), key);
    expect(first).toMatchObject({
      status: 200,
      data: { busy: { external_id: 'till-1', version: 1, specialist_id: till.ids[0] }, conflicts: 0 },
    });
    expect(await till.starts()).toEqual(all.filter((start) => start !== '11:00'));
    expect((await till.create(till.body('11:00'))).error).toMatchObject({ reason: 'outside_schedule' });
    // The same content changes nothing, also with another key.
    expect((await till.put('till-1', at(till, '11:15', '11:45'))).data).toEqual(first.data);
    const moved = await till.put('till-1', at(till, '12:00', '14:00', { expected_version: 1 }));
    expect(moved.data.busy.version).toBe(2);
    expect(await till.starts()).toEqual(all.filter((start) => !['12:00', '13:00'].includes(start)));
    // A late retry of the first request does not bring its time back.
    const replayed = await till.put('till-1', at(till, '11:15', '11:45'), key);
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.data).toEqual(first.data);
    expect(await till.starts()).toContain('11:00');
    expect(await till.put('till-1', at(till, '12:00', '15:00', { expected_version: 1 }))).toMatchObject({
      status: 409,
      error: { code: 'booking_version_conflict', message: 'The busy time has another version.' },
    });
    expect((await till.remove('till-1')).data).toEqual({ external_id: 'till-1', existed: true });
    expect((await till.remove('till-1')).data).toEqual({ external_id: 'till-1', existed: false });
    expect(await till.starts()).toEqual(all);
  });

  test('learns how many bookings are at the time, and changes none of them', async () => {
    const till = await makeTill();
    const { reference } = await till.book('10:00');
    expect((await till.put('a', at(till, '10:30', '10:45'))).data.conflicts).toBe(1);
    const location = at(till, '09:00', '09:30', { specialist_id: null });
    expect((await till.put('b', location)).data).toMatchObject({ busy: { specialist_id: null }, conflicts: 0 });
    expect(await till.starts()).not.toContain('09:00');
    expect((await till.read(reference)).data).toMatchObject({ booking: { status: 'confirmed', version: 1 } });
  });

  test('loses its scope and its busy times when it is none anymore, and partners never have the scope', async () => {
    const till = await makeTill();
    const all = await till.starts();
    await till.put('a', at(till, '11:00', '12:00'));
    const partner = machine(till.key);
    const refused = { status: 403, error: { code: 'insufficient_scope' } };
    expect(await partner.put('a', at(till, '13:00', '14:00'))).toMatchObject(refused);
    expect(await partner.remove('a')).toMatchObject(refused);
    expect(await till.starts()).not.toEqual(all);
    await setOwnSystem(new Date(), { ...till.by, ownSystem: false });
    expect(await db().block.count({ where: till.where })).toBe(0);
    expect(await till.starts()).toEqual(all);
    await expect.poll(async () => (await till.remove('a')).status).toBe(403);
    expect(
      await db().auditLog.count({
        where: { objectId: till.till.applicationId, action: 'application.own_system_changed' },
      }),
    ).toBe(2);
  });

  test('pushes nothing once it is none anymore, also while a server still has its former policy', async () => {
    const till = await makeTill();
    expect((await till.put('a', at(till, '11:00', '12:00'))).status).toBe(200);
    await setOwnSystem(new Date(), { ...till.by, ownSystem: false });
    // A server reads the change within a second, so the first of these calls still have the scope.
    for (const id of ['a', 'b', 'c'])
      expect(await till.put(id, at(till, '13:00', '14:00'))).toMatchObject({
        status: 403,
        error: { code: 'insufficient_scope' },
      });
    expect(await db().block.count({ where: till.where })).toBe(0);
  });

  test('pushes the same time again after the specialist has begun to work in another time zone', async () => {
    const till = await makeTill();
    const first = await till.put('a', at(till, '11:00', '12:00'));
    const { id } = await db().block.findFirstOrThrow({ where: till.where });
    const london = await makeLocation(till.tenant.id, { timeZone: 'Europe/London' });
    await offer(till.tenant.id, till.specialists, [till.service], [london]);
    await catalogChanged(till.tenant.id);
    const again = await till.put('a', at(till, '11:00', '12:00'));
    expect(again.data).toEqual(first.data);
    const { startsAt, endsAt, ...kept } = await db().block.findFirstOrThrow({ where: till.where });
    expect(kept.id).toBe(id);
    expect([startsAt, endsAt].map((time) => time.toISOString().slice(11, 16))).toEqual(['10:00', '12:00']);
    const inLondon = await till.starts({ location_id: london.id });
    expect(inLondon).not.toContain('10:00');
    expect(inLondon).toContain('12:00');
  });

  test('reaches only its tenant, its locations, and its own busy times', async () => {
    const [till, other] = [await makeTill(), await makeTill()];
    await till.put('same', at(till, '11:00', '12:00'));
    await other.put('same', at(other, '13:00', '14:00'));
    expect(await till.starts()).not.toContain('11:00');
    expect(await till.starts()).toContain('13:00');
    expect((await other.remove('same')).data.existed).toBe(true);
    expect(await till.starts()).not.toContain('11:00');
    const [foreign, stranger] = [{ location_id: other.location.id }, await makeSpecialist(till.tenant.id)];
    for (const more of [foreign, { specialist_id: other.ids[0] }, { specialist_id: stranger.id }])
      expect(await till.put('x', at(till, '15:00', '16:00', more))).toMatchObject({ status: 404 });
    const elsewhere = await makeLocation(till.tenant.id);
    const limited = await makeApplication(till.tenant.id, { allLocations: false, locationIds: [elsewhere.id] });
    await setOwnSystem(new Date(), { ...till.by, applicationId: limited.applicationId, ownSystem: true });
    expect(await machine(limited.key).put('x', at(till, '15:00', '16:00'))).toMatchObject({
      status: 403,
      error: { code: 'credential_restricted', reason: 'location' },
    });
    expect((await machine(limited.key).remove('same')).data.existed).toBe(false);
  });

  test('gets a clear refusal for bad input, and nothing is stored', async () => {
    const till = await makeTill();
    const base = at(till, '11:00', '12:00');
    const far = new Date(Date.now() + 800 * 86_400_000).toISOString();
    for (const [more, path] of [
      [{ starts_at: base.ends_at }, 'ends_at'],
      [{ starts_at: '1601-01-01T00:00:00Z', ends_at: '9999-12-31T23:59:59Z' }, 'ends_at'],
      [{ starts_at: '2020-01-01T10:00:00Z', ends_at: '2020-01-01T11:00:00Z' }, 'ends_at'],
      [{ starts_at: far, ends_at: new Date(Date.parse(far) + 3_600_000).toISOString() }, 'ends_at'],
      [{ starts_at: '2030-01-01T10:00:00' }, 'starts_at'],
      [{ starts_at: 'x'.repeat(5_000) }, 'starts_at'],
      [{ starts_at: null }, 'starts_at'],
      [{ expected_version: 0 }, 'expected_version'],
      [{ title: 'Dentist' }, 'title'],
    ] as const) {
      const reply = await till.put('bad', { ...base, ...more });
      expect(reply, path).toMatchObject({ status: 400, error: { fields: [{ path }] } });
      expect(reply.text).not.toContain('Dentist');
    }
    expect(await till.put('x'.repeat(101), base)).toMatchObject({
      status: 400,
      error: { fields: [{ path: 'external_id' }] },
    });
    expect((await till.put('a%20b', base)).status).toBe(404);
    expect(await db().block.count({ where: till.where })).toBe(0);
    // As many as an application may have.
    await till.put('first', base);
    const { rows } = await pool().query('SELECT to_jsonb(b) AS row FROM blocks b WHERE application_id = $1', [
      till.till.applicationId,
    ]);
    const many = Array.from({ length: 1_999 }, (_, n) => ({ ...rows[0].row, id: newId('blk'), external_id: `n-${n}` }));
    await pool().query('INSERT INTO blocks SELECT * FROM jsonb_populate_recordset(NULL::blocks, $1)', [
      JSON.stringify(many),
    ]);
    expect(await till.put('more', base)).toMatchObject({ status: 400, error: { fields: [{ path: '*' }] } });
    expect((await till.put('first', at(till, '12:00', '13:00'))).status).toBe(200);
  });

  test('and 20 creates at the same time never both get the time without knowing', async () => {
    const till = await makeTill();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? till.put(`p-${index}`, at(till, '11:00', '12:00')) : till.create(till.body('11:00')),
      ),
    );
    const booked = replies.filter(({ status }) => status === 201).length;
    const pushed = replies.filter((_, index) => index % 2 === 0) as Awaited<ReturnType<Till['put']>>[];
    expect(booked).toBeLessThanOrEqual(1);
    const accepted = pushed.filter(({ status }) => status === 200);
    expect(accepted.length).toBeGreaterThan(0);
    // A push before the booking would have refused it, so all came after it and saw it.
    for (const { data } of accepted) expect(data.conflicts).toBe(booked);
  });
});
