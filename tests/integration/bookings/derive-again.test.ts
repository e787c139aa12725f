import { expect, test } from 'vitest';
import { deriveTenant, settleClaims } from '@/lib/booking/bookings/derive-again';
import { pool } from '@/lib/platform/db';
import { limitTo } from '@/lib/platform/tenant-scope';
import { ZONE_RULES } from '@/lib/platform/time-zones';
import { bookingRow, eventsOf, expectRefusal } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { expectIntact } from '@/tests/support/invariants';
import { moveToPast } from '@/tests/support/past';
import { addEndpoint } from '@/tests/support/webhooks';
import { makeMember } from '../control-center/applications-people';

const ZONE = 'Asia/Kolkata';

const makeEast = (more: Parameters<typeof makeDesk>[0] = {}) => makeDesk({ location: { timeZone: ZONE }, ...more });

/** Moves bookings and their claims, as if they had been derived with other time zone rules. */
async function putOff(references: string[], minutes: number): Promise<void> {
  const later = `interval '${minutes} minutes'`;
  await pool().query(
    `UPDATE slot_claims SET starts_at = starts_at + ${later}, ends_at = ends_at + ${later},
       during = tstzrange(lower(during) + ${later}, upper(during) + ${later})
     WHERE id IN (SELECT claim_id FROM bookings WHERE reference = ANY ($1))`,
    [references],
  );
  await pool().query(
    `UPDATE bookings SET starts_at = starts_at + ${later}, ends_at = ends_at + ${later} WHERE reference = ANY ($1)`,
    [references],
  );
}

/** Changes the local time that a customer was told, so that the booking must move. */
async function promise(reference: string, date: string, time: string): Promise<void> {
  await pool().query('UPDATE bookings SET date = $2, start_time = $3 WHERE reference = $1', [reference, date, time]);
}

const derive = ({ tenant }: Pick<Desk, 'tenant'>, now = new Date()) =>
  deriveTenant(now, tenant.id, new AbortController().signal);

/** Asserts that every claim has the times and the number of its bookings. */
async function expectSeats(tenantId: string): Promise<void> {
  const { rows } = await pool().query(
    `SELECT c.id FROM slot_claims c LEFT JOIN bookings b ON b.claim_id = c.id
       AND (b.starts_at, b.ends_at) = (c.starts_at, c.ends_at)
     WHERE c.tenant_id = $1 GROUP BY c.id HAVING c.taken <> count(b.reference)`,
    [tenantId],
  );
  expect(rows).toEqual([]);
}

async function claimsOf(tenantId: string) {
  const { rows } = await pool().query(
    `SELECT starts_at, taken, overlapping IS NOT NULL AS outside FROM slot_claims WHERE tenant_id = $1
     ORDER BY starts_at, taken`,
    [tenantId],
  );
  return rows as { starts_at: Date; taken: number; outside: boolean }[];
}

test('a booking moves to the local time that the customer was told, exactly once', async () => {
  const desk = await makeEast();
  await addEndpoint(desk.tenant.id, desk.applicationId, 'http://127.0.0.1:59999/');
  const before = await desk.book('10:00', {}, { key: 'made-before-the-change' });
  const { reference } = before;
  await putOff([reference], 60);
  expect(await derive(desk)).toEqual({ [ZONE]: 1 });
  const after = (await desk.read(reference)).data.booking;
  expect(after).toMatchObject({
    version: 2,
    starts_at: before.starts_at,
    ends_at: before.ends_at,
    start_time: '10:00',
  });
  expect(await bookingRow(reference)).toMatchObject({ zone_rules: ZONE_RULES, local_version: 2 });

  const [, event, ...more] = await eventsOf(reference);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ type: 'booking.updated', version: 2, actor: 'system', request_id: null });
  expect(JSON.parse(String(event?.payload)).data).toMatchObject({
    booking: { version: 2, status: 'confirmed', date: before.date, start_time: '10:00', starts_at: before.starts_at },
    previous: { date: before.date, start_time: '10:00', starts_at: `${before.date}T10:00:00+04:30` },
    actor: 'system',
    cause: 'time_zone_rules',
  });
  const deliveries = 'SELECT state FROM deliveries WHERE event_id = $1';
  expect((await pool().query(deliveries, [event?.id])).rows).toEqual([{ state: 'pending' }]);
  const audit = 'SELECT actor_kind, before, after FROM audit_log WHERE object_id = $1';
  expect((await pool().query(audit, [reference])).rows).toEqual([
    {
      actor_kind: 'system',
      before: expect.objectContaining({ version: 1, start_time: '10:00' }),
      after: expect.objectContaining({ version: 2, start_time: '10:00', cause: 'time_zone_rules' }),
    },
  ]);

  expect(await derive(desk)).toEqual({});
  expect(await desk.read(reference)).toMatchObject({ data: { booking: { version: 2 } } });
  await expectIntact(desk.tenant.id);

  // The stored response stays as it was, and the old version is refused.
  const replay = await desk.create(desk.body('10:00'), { key: 'made-before-the-change' });
  expect(replay).toMatchObject({ status: 201, data: { booking: { reference, version: 1 } } });
  expectRefusal(await desk.cancel(reference, { expected_version: 1 }), 409, 'booking_version_conflict');
  expect(await desk.cancel(reference, { expected_version: 2 })).toMatchObject({ status: 200 });

  const owner = await makeMember(desk.tenant.id, 'OWNER');
  const { data } = await owner.query('bookings.get', { reference });
  expect((data as { timeline: object[] }).timeline[1]).toMatchObject({ type: 'booking.updated', actor: 'system' });
});

test('only confirmed bookings that have not started move, also if their customer was erased', async () => {
  const desk = await makeEast({ specialists: 5 });
  const [past, running, cancelled, done, erased] = await Promise.all([1, 2, 3, 4, 5].map(() => desk.book('10:00')));
  const all = [past, running, cancelled, done, erased].map((booking) => booking?.reference ?? '');
  await desk.cancel(all[2] ?? '');
  await pool().query(`UPDATE bookings SET status = 'completed' WHERE reference = $1`, [all[3]]);
  await pool().query(
    `UPDATE bookings SET customer_name = NULL, customer_phone = NULL, phone_hash = NULL WHERE reference = $1`,
    [all[4]],
  );
  await moveToPast(all[0] ?? '', 8);
  await putOff(all, 60);
  await pool().query(
    `UPDATE bookings SET date = date - 8, starts_at = now() - interval '10 minutes' WHERE reference = $1`,
    [all[1]],
  );
  expect(await derive(desk)).toEqual({ [ZONE]: 1 });
  const { rows } = await pool().query(
    'SELECT reference FROM bookings WHERE tenant_id = $1 AND zone_rules = $2 AND version > 1 AND status = $3',
    [desk.tenant.id, ZONE_RULES, 'confirmed'],
  );
  expect(rows).toEqual([{ reference: all[4] }]);
});

test('bookings that stand at each other’s new time swap without an overlap', async () => {
  const desk = await makeEast();
  const references = [];
  for (const start of ['10:00', '10:30', '11:00', '11:30']) references.push((await desk.book(start)).reference);
  for (const reference of [...references].reverse()) await putOff([reference], 30);
  expect(await derive(desk)).toEqual({ [ZONE]: 4 });
  expect((await claimsOf(desk.tenant.id)).map(({ outside }) => outside)).toEqual([false, false, false, false]);
  await expectIntact(desk.tenant.id);
});

test('two appointments that overlap stay, are marked, and block their time until one of them goes', async () => {
  const desk = await makeEast();
  const owner = await makeMember(desk.tenant.id, 'OWNER');
  const [standing, moved] = [await desk.book('10:00'), await desk.book('12:00')];
  await promise(moved.reference, moved.date, '10:15');
  expect(await derive(desk)).toEqual({ [ZONE]: 1 });
  for (const { reference } of [standing, moved])
    expect(await desk.read(reference)).toMatchObject({ data: { booking: { status: 'confirmed' } } });
  const overlaps = async () =>
    ((await owner.query('overview.attention', undefined)).data as { overlaps: unknown[] }).overlaps;
  expect(await overlaps()).toEqual([
    {
      specialist: 'Alex Example',
      bookings: [
        { reference: standing.reference, date: standing.date, start_time: '10:00', service: 'Haircut' },
        { reference: moved.reference, date: moved.date, start_time: '10:15', service: 'Haircut' },
      ],
    },
  ]);
  const page = (await owner.query('bookings.get', { reference: standing.reference })).data;
  expect(page).toMatchObject({ overlaps: [{ reference: moved.reference }] });
  // 10:30 is free of the first appointment, and not of the second.
  expect(await desk.starts()).not.toContain('10:30');
  expectRefusal(await desk.create(desk.body('10:30')), 409, 'booking_unavailable', 'slot_taken');
  // The database refuses it as well.
  const client = await pool().connect();
  await client.query(`BEGIN; ${limitTo(desk.tenant.id)}`);
  const inserted = await client.query(
    `INSERT INTO slot_claims (id, tenant_id, specialist_id, service_id, location_id, starts_at, ends_at, during, capacity, taken)
     SELECT gen_random_uuid(), tenant_id, specialist_id, service_id, location_id, starts_at, ends_at, overlapping, 1, 1
     FROM slot_claims WHERE tenant_id = $1 AND overlapping IS NOT NULL`,
    [desk.tenant.id],
  );
  await client.query('ROLLBACK');
  client.release();
  expect(inserted.rowCount).toBe(0);

  const reschedule = { reference: moved.reference, expected_version: 2, date: moved.date, start_time: '14:00' };
  expect(await owner.mutate('bookings.reschedule', { ...reschedule, specialist_id: null })).toMatchObject({
    status: 200,
  });
  expect(await overlaps()).toEqual([]);
  expect(await desk.starts()).toContain('10:30');
  await expectIntact(desk.tenant.id);

  // The other way out: the appointment that stood is canceled, and the moved one gets the time for itself.
  const late = await desk.book('16:00');
  await promise(late.reference, late.date, '10:15');
  await derive(desk);
  expect(await overlaps()).toHaveLength(1);
  expect(await desk.cancel(standing.reference)).toMatchObject({ status: 200 });
  expect(await overlaps()).toEqual([]);
  await settleClaims(new AbortController().signal);
  expect((await claimsOf(desk.tenant.id)).map(({ outside }) => outside)).toEqual([false, false]);
  await expectIntact(desk.tenant.id);
});

test('a group moves as one, and a seat with another time zone leaves it', async () => {
  const desk = await makeEast({ service: { capacity: 4 } });
  const [one, two, other] = [await desk.book('10:00'), await desk.book('10:00'), await desk.book('10:00')];
  await putOff([one.reference, two.reference], 60);
  await pool().query(
    `UPDATE bookings SET starts_at = starts_at + interval '1 hour', ends_at = ends_at + interval '1 hour'
     WHERE reference = $1`,
    [other.reference],
  );
  // The time zone of the location was edited after the first two bookings. This one agrees with its instant.
  await pool().query(
    `UPDATE bookings SET time_zone = 'Asia/Karachi', start_time = '10:30', end_time = '11:00'
     WHERE reference = $1`,
    [other.reference],
  );
  expect(await derive(desk)).toEqual({ [ZONE]: 2 });
  expect((await claimsOf(desk.tenant.id)).map(({ taken, outside }) => ({ taken, outside }))).toEqual([
    { taken: 2, outside: false },
    { taken: 1, outside: false },
  ]);
  await expectSeats(desk.tenant.id);
  // A free seat of the group can still be sold.
  await desk.book('10:00');
  await expectSeats(desk.tenant.id);
});

test('of two appointments that overlap at one start, only the own one counts as free', async () => {
  const desk = await makeEast({ service: { capacity: 3 } });
  const owner = await makeMember(desk.tenant.id, 'OWNER');
  // Two bookings of a group, and one that moves to their start.
  const standing = [await desk.book('10:00'), await desk.book('10:00')];
  const moved = await desk.book('12:00');
  await promise(moved.reference, moved.date, '10:00');
  await derive(desk);
  // A longer service at the same start, as the same specialist could have at another location.
  await pool().query(
    `UPDATE slot_claims SET overlapping = tstzrange(lower(overlapping), upper(overlapping) + interval '30 minutes')
     WHERE overlapping IS NOT NULL`,
  );
  for (const [{ reference }, isFree] of [
    [moved, true],
    [standing[0] ?? moved, false],
  ] as const) {
    expect((await desk.starts({ exclude_reference: reference })).includes('10:30')).toBe(isFree);
    const start = { reference, date: moved.date, start_time: '10:30', specialist_id: null };
    expect(await owner.query('bookings.check_move', start)).toMatchObject({
      data: { reason: isFree ? null : 'slot_taken' },
    });
  }
  // Each booking of the group overlaps the moved one, and not the others of its group.
  for (const one of standing)
    expect((await owner.query('bookings.get', { reference: one.reference })).data).toMatchObject({
      overlaps: [{ reference: moved.reference }],
    });
  const { reference } = moved;
  expect(
    await desk.reschedule(reference, { expected_version: 2, date: moved.date, start_time: '10:30' }),
  ).toMatchObject({ status: 200 });
  await expectIntact(desk.tenant.id);
});

test('the Overview states how many appointments overlap in all', async () => {
  const desk = await makeEast();
  const owner = await makeMember(desk.tenant.id, 'OWNER');
  await desk.book('10:00');
  const moved = await desk.book('12:00');
  await promise(moved.reference, moved.date, '10:15');
  await derive(desk);
  const attention = async () =>
    (await owner.query('overview.attention', undefined)).data as { overlaps: unknown[]; overlap_total: number };
  expect(await attention()).toMatchObject({ overlaps: [{}], overlap_total: 1 });
  // Eight appointments at one time are 28 pairs.
  await pool().query(
    `INSERT INTO slot_claims
     SELECT (jsonb_populate_record(c, jsonb_build_object('id', md5(c.id::text || i)::uuid))).*
     FROM slot_claims c, generate_series(1, 6) AS i WHERE c.tenant_id = $1 AND c.overlapping IS NOT NULL`,
    [desk.tenant.id],
  );
  await pool().query(
    `INSERT INTO bookings
     SELECT (jsonb_populate_record(b, jsonb_build_object('claim_id', md5(b.claim_id::text || i)::uuid,
       'reference', 'pbr_' || substr(md5(b.reference || i), 1, 26)))).*
     FROM bookings b, generate_series(1, 6) AS i WHERE b.reference = $1`,
    [moved.reference],
  );
  const { overlaps, overlap_total } = await attention();
  expect([overlaps.length, overlap_total]).toEqual([20, 28]);
});

test('a full group that overlaps sells no seat, and neither does the group below it', async () => {
  const desk = await makeEast({ service: { capacity: 3, durationMinutes: 60 } });
  const [standing, moved] = [await desk.book('10:00'), await desk.book('12:00')];
  await promise(moved.reference, moved.date, '10:30');
  await derive(desk);
  expect(await desk.starts()).not.toEqual(expect.arrayContaining(['10:00']));
  for (const start of ['10:00', '10:30'])
    expectRefusal(await desk.create(desk.body(start)), 409, 'booking_unavailable', 'slot_taken');
  await desk.cancel(standing.reference);
  await settleClaims(new AbortController().signal);
  expect(await desk.starts()).toContain('10:30');
});

test('a group with more seats than a transaction moves stays one group', { timeout: 60_000 }, async () => {
  const desk = await makeEast({ service: { capacity: 1_000 } });
  const { reference } = await desk.book('10:00');
  const SEATS = 450;
  await pool().query(
    `INSERT INTO bookings SELECT (jsonb_populate_record(b, jsonb_build_object('reference',
       'pbr_' || substr(md5(b.reference || i), 1, 26)))).*
     FROM bookings b, generate_series(2, ${SEATS}) AS i WHERE b.reference = $1`,
    [reference],
  );
  await pool().query('UPDATE slot_claims SET taken = $2 WHERE tenant_id = $1', [desk.tenant.id, SEATS]);
  const { rows } = await pool().query('SELECT reference FROM bookings WHERE tenant_id = $1', [desk.tenant.id]);
  // The new time overlaps the old one until all seats have moved.
  await putOff([reference], 15);
  await pool().query(
    `UPDATE bookings SET starts_at = starts_at + interval '15 minutes', ends_at = ends_at + interval '15 minutes'
     WHERE reference = ANY ($1) AND reference <> $2`,
    [rows.map((row) => row.reference), reference],
  );
  expect(await derive(desk)).toEqual({ [ZONE]: SEATS });
  const { rows: transactions } = await pool().query<{ moved: number }>(
    'SELECT count(*)::int AS moved FROM bookings WHERE tenant_id = $1 AND version = 2 GROUP BY xmin ORDER BY 1',
    [desk.tenant.id],
  );
  expect(transactions.map(({ moved }) => moved)).toEqual([50, 200, 200]);
  expect((await claimsOf(desk.tenant.id)).map(({ taken, outside }) => ({ taken, outside }))).toEqual([
    { taken: SEATS, outside: false },
  ]);
  await expectSeats(desk.tenant.id);
  await desk.book('10:00');
  await expectSeats(desk.tenant.id);
});

test('a local time that the new rules skip is taken with the offset before the change', async () => {
  const desk = await makeDesk({ location: { timeZone: 'Europe/Berlin' } });
  const { reference } = await desk.book('10:00');
  const sunday = springSunday();
  await promise(reference, sunday, '02:30');
  expect(await derive(desk)).toEqual({ 'Europe/Berlin': 1 });
  const told = { date: sunday, start_time: '02:30', starts_at: `${sunday}T02:30:00+01:00` };
  expect(await desk.read(reference)).toMatchObject({ data: { booking: { ...told, version: 2 } } });
  expect(await derive(desk)).toEqual({});
});

/** The next Sunday on which the clocks of Berlin go from 02:00 to 03:00. */
function springSunday(): string {
  const year = new Date().getUTCFullYear() + 1;
  const march = new Date(Date.UTC(year, 2, 31));
  return `${year}-03-${31 - march.getUTCDay()}`;
}

test.each([
  ['across', '01:45', '02:15', '03:15'],
  ['exactly at', '01:30', '02:00', '03:00'],
])(
  'a booking that ends %s a change of the clock gets its new local end with a version and an event',
  async (...all) => {
    const [, start, told, end] = all;
    const desk = await makeDesk({ location: { timeZone: 'Europe/Berlin' } });
    const { reference } = await desk.book('10:00');
    const date = springSunday();
    await promise(reference, date, start);
    await derive(desk);
    const { rows: before } = await pool().query('SELECT * FROM slot_claims WHERE tenant_id = $1', [desk.tenant.id]);
    // As it was told under rules by which the clock did not change on that day.
    await pool().query('UPDATE bookings SET end_time = $2 WHERE reference = $1', [reference, told]);
    expect((await desk.read(reference)).data.booking).toMatchObject({ start_time: start, end_time: told, version: 2 });
    expect(await derive(desk)).toEqual({ 'Europe/Berlin': 1 });
    const instants = { starts_at: `${date}T${start}:00+01:00`, ends_at: `${date}T${end}:00+02:00` };
    const after = { date, start_time: start, end_time: end, ...instants, version: 3 };
    expect((await desk.read(reference)).data.booking).toMatchObject(after);
    const event = (await eventsOf(reference)).at(-1);
    expect(event).toMatchObject({ type: 'booking.updated', version: 3, actor: 'system' });
    expect(JSON.parse(String(event?.payload)).data).toMatchObject({
      booking: after,
      previous: { date, start_time: start, starts_at: instants.starts_at },
      cause: 'time_zone_rules',
    });
    const audit = 'SELECT before, after FROM audit_log WHERE object_id = $1 ORDER BY id DESC LIMIT 1';
    expect((await pool().query(audit, [reference])).rows).toMatchObject([
      { before: { version: 2, end_time: told }, after: { version: 3, end_time: end } },
    ]);
    expect((await pool().query('SELECT * FROM slot_claims WHERE tenant_id = $1', [desk.tenant.id])).rows).toEqual(
      before,
    );
    expect(await derive(desk)).toEqual({});
  },
);

test('an appointment at a skipped local time is a block of its own beside its neighbor', async () => {
  const desk = await makeDesk({ location: { timeZone: 'Europe/Berlin' } });
  const owner = await makeMember(desk.tenant.id, 'OWNER');
  const [skipped, neighbor] = [await desk.book('10:00'), await desk.book('12:00')];
  const date = springSunday();
  await promise(skipped.reference, date, '02:30');
  await promise(neighbor.reference, date, '03:30');
  await derive(desk);
  const { data: day } = await owner.query('bookings.day', { location_id: desk.location.id, date });
  const { data: week } = await owner.query('bookings.week', { location_id: desk.location.id, date });
  type Shown = { columns: { blocks: { start_time: string; seats: { taken: number }; bookings: unknown[] }[] }[] };
  for (const { columns } of [day as Shown, (week as { days: Shown[] }).days[6] as Shown]) {
    const blocks = columns.flatMap((column) => column.blocks);
    expect(blocks.map(({ start_time, seats, bookings }) => [start_time, seats.taken, bookings.length]).sort()).toEqual([
      ['02:30', 1, 1],
      ['03:30', 1, 1],
    ]);
  }
});

test('an edit of the time zone of a location moves no booking', async () => {
  const desk = await makeEast();
  const { reference } = await desk.book('10:00');
  await pool().query(`UPDATE locations SET time_zone = 'America/Lima' WHERE id = $1`, [desk.location.id]);
  expect(await derive(desk)).toEqual({});
  expect(await bookingRow(reference)).toMatchObject({ version: 1 });
});

test('processes that derive at the same time, and a partner that reschedules, change each booking once', async () => {
  const desk = await makeEast({ specialists: 3 });
  const made = await Promise.all(['09:00', '10:00', '11:00', '12:00', '13:00'].map((start) => desk.book(start)));
  for (const { reference } of made) await putOff([reference], 15);
  const [first, second, moved] = await Promise.all([
    derive(desk),
    derive(desk),
    desk.reschedule(made[0]?.reference ?? '', { expected_version: 1, date: dayAhead(9), start_time: '15:00' }),
  ]);
  const total = (first?.[ZONE] ?? 0) + (second?.[ZONE] ?? 0);
  // The reschedule came either before or after the booking was derived.
  expect([moved.status, total]).toEqual(moved.status === 200 ? [200, 4] : [409, 5]);
  const { rows } = await pool().query('SELECT version FROM bookings WHERE tenant_id = $1', [desk.tenant.id]);
  expect(rows.map(({ version }) => version)).toEqual([2, 2, 2, 2, 2]);
  await expectSeats(desk.tenant.id);
});
