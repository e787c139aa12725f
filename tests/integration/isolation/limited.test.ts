import type { AnyProcedure } from '@trpc/server';
import { request } from 'undici';
import { beforeAll, expect, test } from 'vitest';
import { TENANT_HEADER, tenantPath } from '@/app/_components/tenant-path';
import { acceptInvitation } from '@/lib/access/owners/accept';
import { memberOf } from '@/lib/access/owners/session';
import { IN_REACH } from '@/lib/booking/bookings/statements';
import { appRouter } from '@/lib/control-center/trpc/router';
import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { textOf } from '@/lib/platform/sql';
import { CUSTOMER, dayAhead, makeDesk } from '@/tests/support/bookings';
import { callProcedure, makePerson, openSessionOf, sessionIdOf } from '@/tests/support/control-center';
import { makeLocation, makeSpecialist, offer } from '@/tests/support/factories';
import { changeSettings } from '@/tests/support/fresh-process';
import { sharedServer } from '@/tests/support/shared';
import { SOAK } from '@/tests/support/soak';
import { type Member, makeMember } from '../control-center/applications-people';
import { callAs, type Reply } from './calls';
import { PROCEDURES } from './inputs';
import { mutantsOf, originalsOf, runMutant, undone } from './mutants';

// A front desk that is limited to the location Near, and the bookings, the specialist, and the customer of Distant.

const { origin } = sharedServer();

type Booked = { reference: string; version: number };

let world: { tenantId: string; near: string; distant: string; service: string; nina: string; specialist: string };
let booked: { near: Booked; distant: Booked };
let owner: Member;
let desk: Member & { userId: string; cookie: string };
/** Calls procedures as the front desk, in this process. */
let ask: (path: string, input: object, now?: Date) => Promise<Reply>;
/** Texts of Distant. No reply to the front desk may contain one. */
let marks: string[];

const PHONES = { near: '+49 30 5550 1234', distant: '+49 30 5550 1111' };

beforeAll(async () => {
  // As in `mutation.test.ts`: writes that are undone log an error.
  changeSettings({ LOG_LEVEL: 'silent' });
  const { tenant, location, service, ids, book } = await makeDesk({ location: { name: { en: 'Distant' } } });
  await pool().query('UPDATE tenants SET shows_customer_names = true WHERE id = $1', [tenant.id]);
  const near = await makeLocation(tenant.id, { name: { en: 'Near' } });
  const nina = await makeSpecialist(tenant.id, { displayName: 'Nina Near' });
  await offer(tenant.id, [nina], [service], [near]);
  await pool().query(`UPDATE specialists SET display_name = 'Dana Distant' WHERE id = $1`, [ids[0]]);
  const bookAt = (where: 'near' | 'distant', location_id: string) =>
    book('10:00', {
      ...{ location_id, external_reference: `${where}-4711` },
      customer: { ...CUSTOMER, name: `Robin ${where}`, phone: PHONES[where] },
    });
  booked = { distant: await bookAt('distant', location.id), near: await bookAt('near', near.id) };
  const ofDistant = { nina: nina.id, distant: location.id, specialist: ids[0] ?? '' };
  world = { tenantId: tenant.id, near: near.id, service: service.id, ...ofDistant };
  marks = [booked.distant.reference, location.id, world.specialist, 'distant-4711', 'Robin distant', 'Dana', 'Distant'];
  owner = await makeMember(tenant.id);
  const person = await makePerson(tenant.id, 'FRONT_DESK', 'Dora Desk');
  const cookie = await openSessionOf(person);
  desk = {
    ...{ userId: person.userId, cookie },
    query: (path, input) => callProcedure(path, { origin, cookie, type: 'query', input }),
    mutate: (path, input) => callProcedure(path, { origin, cookie, type: 'mutation', input }),
  };
  expect(await limitTo([near.id])).toMatchObject({ status: 200 });
  const member = await memberOf(await sessionIdOf(cookie), new Date(), tenant.id);
  if (member === null || member === 'outsider') throw new Error('no member');
  ask = (path, input, now = new Date()) => callAs({ member }, path, JSON.stringify(input), now);
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
  const refused = { status: 403, body: expect.stringContaining('"code":"forbidden"') };
  for (const { path } of others) expect([path, await ask(path, {})]).toMatchObject([path, refused]);
});

async function rowsOfDistant(): Promise<unknown> {
  const { rows } = await pool().query('SELECT to_jsonb(b) AS row FROM bookings b WHERE location_id = $1', [
    world.distant,
  ]);
  const changes = 'SELECT count(*) FROM audit_log WHERE tenant_id = $1 AND object_id = $2';
  return [rows, (await pool().query(changes, [world.tenantId, booked.distant.reference])).rows];
}

/** Calls about Near that also name a record of Distant, and whether each of them is refused. */
const MIXED = (): [path: string, input: object, isRefused: boolean][] => {
  const { near, service, specialist } = world;
  const both = [booked.near.reference, booked.distant.reference];
  const versions = both.map((reference) => ({ reference, expected_version: 1 }));
  const taken = { ...wanted('near'), specialist_id: specialist, start_time: '14:00' };
  return [
    ['bookings.list', { specialist_id: specialist, period: 'all' }, false],
    ['bookings.list', { service_id: service, status: 'cancelled', period: 'all' }, false],
    ['bookings.list', { location_id: near, reference: booked.distant.reference, period: 'all' }, false],
    ['bookings.list', { period: 'all', sort: 'created_at', back: true }, false],
    ['bookings.names', { view: 'day', references: both }, false],
    ['bookings.visits.change', { action: 'complete', bookings: versions }, true],
    ['bookings.slots', { ...one('near'), date, specialist_id: specialist }, false],
    ['bookings.check_move', { ...one('near'), ...start, specialist_id: specialist }, false],
    ['bookings.reschedule', { ...one('near'), ...start, specialist_id: specialist, expected_version: 1 }, true],
    ['bookings.new_slots', { ...wanted('near'), specialist_id: specialist }, false],
    ['bookings.check_new', taken, false],
    ['bookings.create', { ...taken, ...created, key: 'e'.repeat(32) }, true],
    ['find.records', { text: 'Dana' }, false],
    ['find.records', { text: specialist }, false],
    ['find.records', { text: world.distant }, false],
    ['find.records', { text: service }, false],
  ];
};

test('a call that names records of both locations learns and changes nothing of the other', async () => {
  const before = await rowsOfDistant();
  for (const [path, input, isRefused] of MIXED()) {
    const { status, body: text } = await ask(path, input);
    const asked = JSON.stringify(input);
    expect(status >= 400, `${path}: ${text}`).toBe(isRefused);
    expect(
      marks.filter((mark) => text.includes(mark) && !asked.includes(mark)),
      path,
    ).toEqual([]);
  }
  expect(await rowsOfDistant()).toEqual(before);
});

/** As `/team`, of sections that a limited front desk does not have. */
const FURTHER = [
  ...['/catalog', '/catalog/locations', '/catalog/specialists', '/catalog/blocks', '/privacy', '/statistics', '/audit'],
  ...['/calendar-feeds', '/applications', '/requests', '/webhooks', '/environment'],
];

const PAGES = () => [
  ...['/', '/bookings', '/bookings/new', '/bookings/day', '/bookings/week', '/bookings/import', '/account', '/team'],
  ...['/catalog/preview', '/docs'],
  ...(SOAK ? FURTHER : []),
  ...[`/catalog/locations/${world.distant}`, `/catalog/specialists/${world.specialist}`],
  ...['bookings', 'bookings/day', 'bookings/week', 'bookings/new'].map((one) => `/${one}?location=${world.distant}`),
  `/bookings/${booked.distant.reference}`,
];

test('no page and no export shows a limited member anything of another location', async () => {
  const { cookie } = desk;
  for (const path of PAGES()) {
    const { body } = await request(origin + tenantPath(world.tenantId, path), { headers: { cookie } });
    const html = await body.text();
    expect([path, marks.filter((mark) => html.includes(mark) && !path.includes(mark))]).toEqual([path, []]);
  }
  const own = { 'x-partner-booking': 'control-center', 'content-type': 'application/json' };
  const headers = { ...own, cookie, [TENANT_HEADER]: world.tenantId };
  for (const list of ['bookings', 'audit', 'statistics', 'requests']) {
    const url = `${origin}/api/control-center/${list}-export`;
    const { statusCode, body } = await request(url, { method: 'POST', headers, body: '{}' });
    expect([list, statusCode, await body.json()]).toMatchObject([list, 403, { error: { code: 'forbidden' } }]);
  }
});

/** Matches `IN_REACH`, and captures a text, so that a mutant compares this text instead of a location. */
const OF_REACH = new RegExp(
  textOf(IN_REACH)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace("'partner_booking\\.locations'", '($&)'),
  'g',
);

test('without its condition on the location, a statement finds bookings of another location', async () => {
  // Nina has an appointment at Distant at the time of the booking at Near, as after a change of time zone rules.
  await pool().query(
    `UPDATE slot_claims SET specialist_id = $2, overlapping = during, during = 'empty'
     WHERE id = (SELECT claim_id FROM bookings WHERE reference = $1)`,
    [booked.distant.reference, world.nina],
  );
  // The visits of a day are listed after their end.
  const timeOf = (path: string) => (path === 'bookings.visits.list' ? new Date(`${date}T20:00:00Z`) : new Date());
  const [all, needed] = [new Set<string>(), new Set<string>()];
  const calls = Object.entries(CALLS).flatMap(([path, { asks }]) => asks('distant').map((input) => ({ path, input })));
  for (const { path, input } of [...calls, { path: 'bookings.get', input: one('near') }]) {
    const send = () => ask(path, input, timeOf(path)).catch(() => ({ status: 500, body: '' }));
    const mutants = await mutantsOf(send, OF_REACH, new Set(), undone);
    if (mutants.length === 0) continue;
    const originalOf = await originalsOf(send, true);
    for (const mutant of mutants) {
      const kept = originalOf(mutant.original);
      const changed = await runMutant(send, mutant, undone);
      expect(kept.rows, path).not.toEqual([]);
      all.add(mutant.original);
      if (JSON.stringify(changed) !== JSON.stringify(kept)) needed.add(mutant.original);
    }
  }
  expect([...all].filter((text) => !needed.has(text))).toEqual([]);
  expect(all.size).toBeGreaterThan(12);
});

test('a limited member sees and changes bookings of the own location only', async () => {
  const before = await rowsOfDistant();
  for (const place of ['distant', 'near'] as const)
    for (const [path, { asks, status }] of Object.entries(CALLS))
      for (const input of asks(place)) {
        const reply = await ask(path, input);
        const text = reply.body;
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
