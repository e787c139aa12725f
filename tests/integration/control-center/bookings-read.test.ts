import { expect, test } from 'vitest';
import { db, pool } from '@/lib/platform/db';
import { CUSTOMER, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, makeSpecialist, offer } from '@/tests/support/factories';
import { moveToPast } from '@/tests/support/past';
import { makeMember } from './applications-people';

type Row = { reference: string; external_reference: string } & Record<string, unknown>;
type Page = { bookings: Row[]; previous: string | null; next: string | null };

async function makeHouse(options?: Parameters<typeof makeDesk>[0]) {
  const desk = await makeDesk(options);
  const owner = await makeMember(desk.tenant.id, 'OWNER', 'Olivia Owner');
  const support = await makeMember(desk.tenant.id, 'SUPPORT');
  const list = async (input: object = {}) => {
    const reply = await owner.query('bookings.list', input);
    expect(reply).toMatchObject({ status: 200 });
    return reply.data as Page;
  };
  const references = async (input: object) => (await list(input)).bookings.map((row) => row.external_reference);
  return { ...desk, owner, support, list, references };
}

test('lists bookings with names and in the location’s time zone', async () => {
  const { book, list, service, location, ids, applicationId } = await makeHouse({
    location: { timeZone: 'America/New_York', name: { en: 'Downtown' } },
  });
  const { reference } = await book('10:00');
  const { bookings, next, previous } = await list();
  expect([next, previous]).toEqual([null, null]);
  expect(bookings).toEqual([
    {
      reference,
      status: 'confirmed',
      version: 1,
      date: dayAhead(),
      start_time: '10:00',
      end_time: '10:30',
      starts_at: expect.stringMatching(/T10:00:00-0[45]:00$/),
      ends_at: expect.stringMatching(/T10:30:00-0[45]:00$/),
      time_zone: 'America/New_York',
      external_reference: 'order-4711',
      created_at: expect.any(String),
      service: { id: service.id, name: 'Haircut' },
      specialist: { id: ids[0], name: 'Alex Example' },
      location: { id: location.id, name: 'Downtown' },
      application: { id: applicationId, name: 'Partner' },
      price: null,
      change_deadline: expect.stringMatching(/T10:00:00-0[45]:00$/),
      has_note: false,
    },
  ]);
});

test('applies filters alone and combined', async () => {
  const house = await makeHouse({ specialists: 2 });
  const { tenant, book, owner, references, location, service, ids, specialists, applicationId } = house;
  const [elsewhere, another] = [await makeLocation(tenant.id), await makeService(tenant.id)];
  await offer(tenant.id, specialists, [another, service], [elsewhere]);
  const second = await makeApplication(tenant.id, { name: 'Second' });
  const first = await book('10:00', { external_reference: 'first', specialist_id: ids[0] });
  await book('11:00', { external_reference: 'second', specialist_id: ids[1] });
  const theirs = await partnerOf(second.key).create(
    house.body('12:00', { external_reference: 'third', service_id: another.id, location_id: elsewhere.id }),
  );
  expect(theirs.status).toBe(201);
  await owner.mutate('bookings.change', { reference: first.reference, action: 'cancel', expected_version: 1 });
  expect(await references({})).toEqual(['first', 'second', 'third']);
  expect(await references({ status: 'cancelled' })).toEqual(['first']);
  expect(await references({ status: 'confirmed' })).toEqual(['second', 'third']);
  expect(await references({ status: 'active' })).toEqual(['second', 'third']);
  const settle = (status: string) =>
    pool().query(
      `UPDATE bookings SET status = $2::"BookingStatus", version = version + 1,
         reopened_at = CASE $2 WHEN 'confirmed' THEN clock_timestamp() ELSE reopened_at END
       WHERE reference = $1`,
      [theirs.data.booking.reference, status],
    );
  for (const status of ['completed', 'no_show']) {
    await settle(status);
    expect(await references({ status: 'active' })).toEqual(['second', 'third']);
    await settle('confirmed');
  }
  expect(await references({ location_id: elsewhere.id })).toEqual(['third']);
  expect(await references({ service_id: service.id })).toEqual(['first', 'second']);
  expect(await references({ specialist_id: ids[1], location_id: location.id })).toEqual(['second']);
  expect(await references({ application_id: second.applicationId })).toEqual(['third']);
  expect(await references({ application_id: applicationId, status: 'confirmed' })).toEqual(['second']);
  expect(await references({ reference: first.reference })).toEqual(['first']);
  expect(await references({ reference: ' third ' })).toEqual(['third']);
  expect(await references({ reference: 'THIRD' })).toEqual(['third']);
  expect(await references({ reference: 'thir' })).toEqual([]);
  expect((await owner.query('bookings.choices')).data).toMatchObject({
    locations: [{ name: 'Studio' }, { name: 'Studio' }],
    services: [{}, {}],
    specialists: [{}, {}],
    applications: [{ name: 'Partner' }, { name: 'Second' }],
  });
});

test('filters by dates in the time zone of each location', async () => {
  const house = await makeHouse({ location: { timeZone: 'Pacific/Auckland' } });
  const { tenant, service, specialists, references, list, location, body, create } = house;
  const west = await makeLocation(tenant.id, { timeZone: 'Pacific/Honolulu' });
  const person = await makeSpecialist(tenant.id);
  await offer(tenant.id, [...specialists, person], [service], [west]);
  const [before, day, after] = [dayAhead(6), dayAhead(7), dayAhead(8)];
  for (const location_id of [location.id, west.id]) {
    for (const start of ['09:00', '16:30']) {
      const reply = await create(body(start, { location_id, external_reference: `${location_id} ${start}` }));
      expect(reply.status).toBe(201);
    }
  }
  expect((await list({ period: { from: day, to: day } })).bookings).toHaveLength(4);
  expect((await list({ period: { from: day } })).bookings).toHaveLength(4);
  expect((await list({ period: { to: day } })).bookings).toHaveLength(4);
  expect(await references({ period: { from: before, to: before } })).toEqual([]);
  expect(await references({ period: { from: after, to: after } })).toEqual([]);
  expect((await list({ period: { from: '0001-01-01', to: '9999-12-31' } })).bookings).toHaveLength(4);
});

test('separates upcoming and past bookings', async () => {
  const { book, references } = await makeHouse();
  const { reference } = await book('10:00', { external_reference: 'was' });
  await moveToPast(reference);
  await book('10:00', { external_reference: 'will be' });
  expect(await references({})).toEqual(['will be']);
  expect(await references({ period: 'past' })).toEqual(['was']);
  expect(await references({ period: 'all', direction: 'desc' })).toEqual(['will be', 'was']);
});

test('pages forward and back over equal starts without gaps or duplicates, in every order', async () => {
  const { tenant, service, location, ids, applicationId, list } = await makeHouse();
  await db().$executeRaw`
    INSERT INTO bookings (reference, tenant_id, application_id, status, version, service_id, location_id, specialist_id,
      starts_at, ends_at, time_zone, cancellation_cutoff_minutes, external_reference, consent_at, cancelled_at,
      cancelled_by, created_at, updated_at, date, start_time, end_date, end_time, local_version)
    SELECT 'pbr_' || lpad(n::text, 26, '0'), ${tenant.id}, ${applicationId}, 'cancelled', 2, ${service.id}, ${location.id},
      ${ids[0]}, date_trunc('hour', now()) + (n / 7) * interval '1 day', date_trunc('hour', now()) + (n / 7) * interval '1 day' + interval '1 hour',
      'Europe/Berlin', 0, 'order', now(), now(), 'owner', now() - (n / 5) * interval '1 minute', now(),
      now() + (n / 7) * interval '1 day', '10:00', now() + (n / 7) * interval '1 day', '11:00', 2
    FROM generate_series(7, 126) n`;
  for (const sort of ['starts_at', 'created_at']) {
    for (const direction of ['asc', 'desc']) {
      const pages: Page[] = [await list({ sort, direction })];
      while (pages.at(-1)?.next) pages.push(await list({ sort, direction, cursor: pages.at(-1)?.next }));
      expect(pages.map(({ bookings }) => bookings.length)).toEqual([50, 50, 20]);
      const all = pages.flatMap(({ bookings }) => bookings.map(({ reference }) => reference));
      expect(new Set(all).size).toBe(120);
      const back = await list({ sort, direction, cursor: pages[2]?.previous, back: true });
      expect(back.bookings).toEqual(pages[1]?.bookings);
      expect((await list({ sort, direction, cursor: back.previous, back: true })).bookings).toEqual(pages[0]?.bookings);
    }
  }
});

test.for(['', 'x', '2026-01-01T00:00:00.000Z_pbr_', '2026-13-01T00:00:00.000Z_pbr_00000000000000000000000000'])(
  'rejects the cursor %j',
  async (cursor) => {
    const { owner } = await makeHouse();
    const reply = await owner.query('bookings.list', { cursor });
    expect(reply).toMatchObject({ status: 400, error: { reason: 'cursor_mismatch' } });
  },
);

test('returns the versions of a booking with actor and request', async () => {
  const { book, reschedule, owner, read } = await makeHouse();
  const { reference } = await book('10:00');
  const moved = await reschedule(reference, { expected_version: 1, date: dayAhead(8), start_time: '11:00' });
  await owner.mutate('bookings.change', { reference, action: 'cancel', expected_version: 2 });
  const { data } = await owner.query('bookings.get', { reference });
  expect(data).toMatchObject({
    reference,
    status: 'cancelled',
    version: 3,
    cancelled_by: 'owner',
    actions: [],
    change_deadline: null,
    timeline: [
      { version: 3, type: 'booking.cancelled', actor: 'owner', by: 'Olivia Owner', request_id: null, previous: null },
      {
        version: 2,
        type: 'booking.rescheduled',
        actor: 'partner',
        by: null,
        request_id: moved.requestId,
        when: { date: dayAhead(8), start_time: '11:00', end_time: '11:30', specialist_name: 'Alex Example' },
        previous: { date: dayAhead(), start_time: '10:00', specialist_name: 'Alex Example' },
      },
      { version: 1, type: 'booking.created', actor: 'partner' },
    ],
  });
  expect((await read(reference)).data.booking.version).toBe(3);
});

const NO_OPTIONS = { email: null, locale: null, note: null, metadata: null };

test('masks contacts everywhere, reveals one only to an owner on request, and audits each view', async () => {
  const { book, owner, support, tenant } = await makeHouse();
  const { reference } = await book('10:00');
  const replies = [
    await support.query('bookings.get', { reference }),
    await owner.query('bookings.get', { reference }),
    await support.query('bookings.list', {}),
  ];
  expect(replies[0]?.data).toMatchObject({ customer: { name_masked: 'R***', phone_masked: '+49*******234' } });
  for (const reply of replies) expect(JSON.stringify(reply)).not.toMatch(/Robin|Sample|5550/);
  const asked = () => db().auditLog.findMany({ where: { tenantId: tenant.id, action: 'booking.contact_viewed' } });
  expect(await asked()).toEqual([]);
  expect(await support.mutate('bookings.contact', { reference })).toMatchObject({ status: 403 });
  expect(await asked()).toEqual([]);
  const seen = await owner.mutate('bookings.contact', { reference });
  expect(seen.data).toEqual({ customer: { name: CUSTOMER.name, phone: '+493055501234', ...NO_OPTIONS } });
  await owner.mutate('bookings.contact', { reference });
  const lines = await asked();
  const about = { service: 'Haircut', date: dayAhead(), start_time: '10:00' };
  expect(lines).toMatchObject([
    { objectKind: 'booking', objectId: reference, actorKind: 'owner', before: null, after: about },
    { objectId: reference },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/Robin|5550/);
  await db().booking.update({ where: { reference }, data: { customerName: null, customerPhone: null } });
  expect((await owner.mutate('bookings.contact', { reference })).data).toEqual({ customer: null });
  expect((await owner.query('bookings.get', { reference })).data).toMatchObject({ customer: null });
  expect(await asked()).toHaveLength(2);
});
