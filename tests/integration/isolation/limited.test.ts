import type { AnyProcedure } from '@trpc/server';
import { beforeAll, expect, test } from 'vitest';
import { acceptInvitation } from '@/lib/access/owners/accept';
import { appRouter } from '@/lib/control-center/trpc/router';
import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { CUSTOMER, dayAhead, makeDesk } from '@/tests/support/bookings';
import { callProcedure, makePerson, openSessionOf } from '@/tests/support/control-center';
import { catalogChanged, makeLocation, makeSpecialist, offer } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';
import { type Member, makeMember } from '../control-center/applications-people';
import { PROCEDURES } from './inputs';

// A front desk that is limited to the location Near, and the bookings, the specialist, and the customer of Distant.

const { origin } = sharedServer();

type Booked = { reference: string; version: number };

let world: { tenantId: string; near: string; distant: string; service: string; specialist: string };
let booked: { near: Booked; distant: Booked };
let owner: Member;
let desk: Member & { userId: string };
/** Texts of Distant. No reply to the front desk may contain one. */
let marks: string[];

const PHONES = { near: '+49 30 5550 1234', distant: '+49 30 5550 1111' };

beforeAll(async () => {
  const { tenant, location, service, ids, book } = await makeDesk({ location: { name: { en: 'Distant' } } });
  await pool().query('UPDATE tenants SET shows_customer_names = true WHERE id = $1', [tenant.id]);
  const near = await makeLocation(tenant.id, { name: { en: 'Near' } });
  await offer(tenant.id, [await makeSpecialist(tenant.id, { displayName: 'Nina Near' })], [service], [near]);
  await pool().query(`UPDATE specialists SET display_name = 'Dana Distant' WHERE id = $1`, [ids[0]]);
  await catalogChanged(tenant.id);
  const bookAt = (where: 'near' | 'distant', location_id: string) =>
    book('10:00', {
      ...{ location_id, external_reference: `${where}-4711` },
      customer: { ...CUSTOMER, name: `Robin ${where}`, phone: PHONES[where] },
    });
  booked = { distant: await bookAt('distant', location.id), near: await bookAt('near', near.id) };
  const ofDistant = { distant: location.id, specialist: ids[0] ?? '' };
  world = { tenantId: tenant.id, near: near.id, service: service.id, ...ofDistant };
  marks = [booked.distant.reference, location.id, world.specialist, 'distant-4711', 'Robin distant', 'Dana', 'Distant'];
  owner = await makeMember(tenant.id);
  const person = await makePerson(tenant.id, 'FRONT_DESK', 'Dora Desk');
  const cookie = await openSessionOf(person);
  desk = {
    userId: person.userId,
    query: (path, input) => callProcedure(path, { origin, cookie, type: 'query', input }),
    mutate: (path, input) => callProcedure(path, { origin, cookie, type: 'mutation', input }),
  };
  expect(await limitTo([near.id])).toMatchObject({ status: 200 });
});

const limitTo = (location_ids: string[] | null) =>
  owner.mutate('team.set_role', { user_id: desk.userId, role: 'FRONT_DESK', location_ids });

type Place = 'near' | 'distant';

const metaOf = (path: string) =>
  (appRouter._def.procedures as unknown as Record<string, AnyProcedure>)[path]?._def.meta as { byLocation?: true };

/** Procedures of a person's own account, which name no record of the business. */
const isOwn = (path: string) => /^(session|second_factor)\./.test(path);

const date = dayAhead();
const at = (place: Place) => ({ location_id: world[place], date });
const one = (place: Place) => ({ reference: booked[place].reference });
const wanted = (place: Place) => ({ service_id: world.service, location_id: world[place], date });
const start = { date, start_time: '15:00', specialist_id: null };
const customer = { ...CUSTOMER, email: null };
const created = {
  key: newId('req')
    .slice(4)
    .padEnd(32, '0')
    .replace(/[^0-9a-f]/g, '0'),
  customer,
  note: null,
  price_amount: null,
};

/**
 * For each procedure that a limited member can call, inputs that ask for a place, and the status of the call for Distant:
 * 404 as for an unknown record, or 200 without anything of Distant.
 */
const CALLS: Record<string, { asks: (place: Place) => object[]; status: 200 | 404 }> = {
  'bookings.list': {
    asks: (place) => [{ location_id: world[place] }, { ...one(place), period: 'all' }, { reference: `${place}-4711` }],
    status: 200,
  },
  'bookings.day': { asks: (place) => [at(place)], status: 404 },
  'bookings.week': { asks: (place) => [at(place)], status: 404 },
  'bookings.get': { asks: (place) => [one(place)], status: 404 },
  'bookings.choices': { asks: () => [{}], status: 200 },
  'bookings.remember_location': { asks: (place) => [{ location_id: world[place] }], status: 404 },
  'bookings.find_by_phone': { asks: (place) => [{ phone: PHONES[place] }], status: 200 },
  'bookings.names_shown': { asks: () => [{}], status: 200 },
  'bookings.names': { asks: (place) => [{ view: 'list', references: [booked[place].reference] }], status: 200 },
  'bookings.find_by_name': { asks: (place) => [{ name: place }], status: 200 },
  'bookings.visits.list': { asks: (place) => [{ date, location_id: world[place] }], status: 200 },
  'bookings.visits.change': {
    asks: (place) => [{ action: 'complete', bookings: [{ ...one(place), expected_version: 1 }] }],
    status: 404,
  },
  'bookings.contact': { asks: (place) => [one(place)], status: 404 },
  'bookings.slots': { asks: (place) => [{ ...one(place), date }], status: 404 },
  'bookings.check_move': { asks: (place) => [{ ...one(place), ...start }], status: 404 },
  'bookings.new_choices': { asks: (place) => [{ location_id: world[place] }], status: 404 },
  'bookings.find_customer': { asks: (place) => [{ phone: PHONES[place] }], status: 200 },
  'bookings.new_slots': { asks: (place) => [wanted(place)], status: 404 },
  'bookings.check_new': { asks: (place) => [{ ...wanted(place), start_time: '16:00' }], status: 404 },
  'bookings.create': { asks: (place) => [{ ...wanted(place), ...created, start_time: '16:00' }], status: 404 },
  'bookings.reschedule': { asks: (place) => [{ ...one(place), ...start, expected_version: 1 }], status: 404 },
  'bookings.set_consent_withdrawn': { asks: (place) => [{ ...one(place), withdrawn: true }], status: 404 },
  'bookings.change': { asks: (place) => [{ ...one(place), action: 'cancel', expected_version: 2 }], status: 404 },
  'find.records': { asks: (place) => [{ text: booked[place].reference }, { text: `${place}-4711` }], status: 200 },
  'views.list': { asks: () => [{ page: 'bookings' }], status: 200 },
};

/** They change views of the member, which contain only filters. `saved-views.test.ts` tests them. */
const OF_MEMBER = ['views.create', 'views.rename', 'views.delete'];

test('a limited member can call only procedures that state how they are limited', async () => {
  const limited = PROCEDURES.filter(({ path }) => metaOf(path)?.byLocation).map(({ path }) => path);
  expect([...Object.keys(CALLS), ...OF_MEMBER].sort()).toEqual(limited.sort());
  const others = PROCEDURES.filter(({ path }) => !limited.includes(path) && !isOwn(path));
  expect(others.length).toBeGreaterThan(50);
  for (const { path, type } of others) {
    const reply = await desk[type === 'query' ? 'query' : 'mutate'](path, {});
    expect(reply, path).toMatchObject({ status: 403, error: { code: 'forbidden' } });
  }
});

async function rowsOfDistant(): Promise<unknown> {
  const { rows } = await pool().query('SELECT to_jsonb(b) AS row FROM bookings b WHERE location_id = $1', [
    world.distant,
  ]);
  const changes = 'SELECT count(*) FROM audit_log WHERE tenant_id = $1 AND object_id = $2';
  return [rows, (await pool().query(changes, [world.tenantId, booked.distant.reference])).rows];
}

test('a limited member sees and changes bookings of the own location only', async () => {
  const before = await rowsOfDistant();
  for (const place of ['distant', 'near'] as const)
    for (const [path, { asks, status }] of Object.entries(CALLS))
      for (const input of asks(place)) {
        const type = PROCEDURES.find((one) => one.path === path)?.type === 'query' ? 'query' : 'mutate';
        const reply = await desk[type](path, input);
        const text = JSON.stringify(reply);
        expect(reply.status, `${path} ${place}: ${text}`).toBe(place === 'near' ? 200 : status);
        expect(
          marks.filter((mark) => text.includes(mark)),
          path,
        ).toEqual([]);
      }
  expect(await rowsOfDistant()).toEqual(before);
  // The same calls of an unlimited member find Distant.
  const found = await owner.query('bookings.list', { reference: 'distant-4711', period: 'all' });
  expect(JSON.stringify(found)).toContain(booked.distant.reference);
  // Without a location, the schedule is that of the own location.
  expect(await desk.query('bookings.day', { location_id: null, date })).toMatchObject({
    data: { location: { id: world.near } },
  });
  expect(await desk.query('bookings.list', { period: 'all' })).toMatchObject({
    data: { bookings: [{ location: { id: world.near } }, { location: { id: world.near } }] },
  });
});

test('the database refuses a change of a booking out of reach, whatever the statement says', async () => {
  const client = await pool().connect();
  try {
    for (const [place, refused] of [
      ['distant', true],
      ['near', false],
    ] as const) {
      await client.query('BEGIN');
      await client.query(`SELECT set_config('partner_booking.locations', $1, true)`, [world.near]);
      const update = client.query('UPDATE bookings SET note = note WHERE reference = $1', [booked[place].reference]);
      if (refused) await expect(update).rejects.toMatchObject({ code: '42501' });
      else await update;
      await client.query('ROLLBACK');
    }
  } finally {
    client.release();
  }
});

test('an owner changes the limit, which takes effect at once and is recorded', async () => {
  const total = async () => {
    const reply = await desk.query('bookings.list', { period: 'all', status: null });
    return (reply.data as { bookings: unknown[] }).bookings.length;
  };
  expect(await limitTo(null)).toMatchObject({ status: 200 });
  expect(await total()).toBe(3);
  for (const location_ids of [[], [newId('loc')]])
    expect(await limitTo(location_ids)).toMatchObject({ status: 400, error: { fields: [{ path: 'location_ids' }] } });
  expect(
    await owner.mutate('team.set_role', { user_id: desk.userId, role: 'SUPPORT', location_ids: [world.near] }),
  ).toMatchObject({ status: 400, error: { fields: [{ path: 'location_ids' }] } });
  const gone = await makeLocation(world.tenantId);
  await limitTo([gone.id]);
  expect(await total()).toBe(0);
  // A deleted location leaves a limit that allows nothing.
  await pool().query('DELETE FROM locations WHERE id = $1', [gone.id]);
  expect(await total()).toBe(0);
  expect(await desk.query('bookings.day', { location_id: null, date })).toMatchObject({ status: 404 });
  await limitTo([world.near]);
  // A page of an earlier version states no locations.
  await owner.mutate('team.set_role', { user_id: desk.userId, role: 'FRONT_DESK' });
  expect(await total()).toBe(2);
  const { rows } = await pool().query(
    `SELECT before, after FROM audit_log WHERE tenant_id = $1 AND action = 'member.locations_changed' ORDER BY id`,
    [world.tenantId],
  );
  const limit = (location_ids: string[] | null) => ({ location_ids });
  expect(rows.slice(0, 3)).toEqual([
    { before: limit(null), after: limit([world.near]) },
    { before: limit([world.near]), after: limit(null) },
    { before: limit(null), after: limit([gone.id]) },
  ]);
  // A server of the previous release changes only the role.
  await pool().query(`UPDATE memberships SET role = 'SUPPORT' WHERE user_id = $1`, [desk.userId]);
  const { rows: members } = await pool().query('SELECT all_locations FROM memberships WHERE user_id = $1', [
    desk.userId,
  ]);
  expect(members).toEqual([{ all_locations: true }]);
});

test('an invited front desk is limited from the first call on', async () => {
  const email = `${newId('usr')}@new.example`;
  const reply = await owner.mutate('team.invite', { email, role: 'FRONT_DESK', location_ids: [world.near] });
  expect(reply).toMatchObject({ status: 200 });
  expect(await owner.query('team.list')).toMatchObject({ data: { invitations: [{ email, locations: 1 }] } });
  const token = (reply.data as { link: string }).link.split('/invite/')[1] ?? '';
  const joined = { token, person: null, name: 'Ina Invited', password: 'correct horse battery' };
  await acceptInvitation(new Date(), joined);
  const { data } = await owner.query('team.list');
  const { members } = data as { members: { email: string; locations: unknown }[] };
  expect(members.find((one) => one.email === email)?.locations).toEqual([{ id: world.near, name: 'Near' }]);
});
