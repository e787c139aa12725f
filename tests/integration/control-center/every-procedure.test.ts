import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type Member, memberOf } from '@/lib/access/owners/session';
import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { CUSTOMER, dayAhead, partnerOf } from '@/tests/support/bookings';
import { makePerson, openSessionOf, sessionIdOf } from '@/tests/support/control-center';
import { makeBusiness } from '@/tests/support/factories';
import { changeSettings } from '@/tests/support/fresh-process';
import { prepared } from '@/tests/support/prepared';
import { writeLines } from '@/tests/support/request-lines';
import { callAs, type Reply } from '../isolation/calls';
import { PROCEDURES as procedures } from '../isolation/inputs';
import { ENTRIES, FRONT_DESK, type Names, PASSWORD } from './every-procedure-entries';
import {
  makeBlock,
  makeCalendar,
  makeFeed,
  makeHooked,
  makeReversible,
  makeTeam,
  transferOf,
} from './every-procedure-names';

type Who = 'nobody' | 'support' | 'desk' | 'stranger' | 'owner';
const members: Record<Who, Member | null> = { nobody: null, support: null, desk: null, stranger: null, owner: null };
let names: Names;
let deskReference: string;
let secrets: string[];
let before: unknown;

beforeAll(async () => {
  changeSettings({ WEBHOOKS_ALLOW_LOOPBACK: '1' });
  const { tenant, applicationId, keyId, key, location, service, specialist } = await makeBusiness({
    name: 'Only of this tenant',
  });
  const asked = { service_id: service.id, date: dayAhead() };
  const book = async (start_time: string, external_reference: string) => {
    const [body, sending] = [{ ...asked, start_time, external_reference, customer: CUSTOMER }, { key: randomUUID() }];
    return (await prepared(() => partnerOf(key).create(body, sending))).data.booking.reference;
  };
  const reference = await book('10:00', 'only-theirs');
  deskReference = await book('11:00', 'only-of-the-desk');
  const line = { tenant_id: tenant.id, application_id: applicationId, key_id: keyId };
  const requestId = newId('req');
  await writeLines([{ ...line, request_id: requestId, status: 403, code: 'credential_restricted' }]);
  const catalog = { locationId: location.id, serviceId: service.id, specialistId: specialist.id };
  const webhook = await makeHooked(tenant.id);
  const team = await makeTeam(tenant.id);
  const feedId = await makeFeed(tenant.id);
  names = {
    applicationId,
    keyId,
    requestId,
    reference,
    ...catalog,
    blockId: await makeBlock(tenant.id, specialist.id),
    undoId: await makeReversible(tenant.id, specialist.id),
    feedId,
    calendarId: await makeCalendar(tenant.id, specialist.id),
    webhook,
    team,
    transfer: { text: '', basis: '' },
  };
  const ids = [tenant.id, applicationId, keyId, requestId, location.id, service.id, specialist.id, reference];
  secrets = [...ids, feedId, ...Object.values(webhook), 'Only of this tenant', 'only-theirs', CUSTOMER.name];
  const stranger = await makeBusiness();
  const tenants = [tenant.id, stranger.tenant.id];
  await pool().query('UPDATE tenants SET shows_customer_names = true WHERE id = ANY($1)', [tenants]);
  const people = {
    support: await makePerson(tenant.id, 'SUPPORT', 'Sam Support', PASSWORD),
    desk: await makePerson(tenant.id, 'FRONT_DESK', 'Dora Desk', PASSWORD),
    stranger: await makePerson(stranger.tenant.id, 'OWNER', 'A Stranger', PASSWORD),
    owner: await makePerson(tenant.id, 'OWNER', 'Olivia Owner', PASSWORD),
  };
  for (const who of ['support', 'desk', 'stranger', 'owner'] as const) {
    const cookie = await openSessionOf(people[who]);
    const found = await memberOf(await sessionIdOf(cookie), new Date(), people[who].tenantId);
    members[who] = found === 'outsider' ? null : found;
    if (who === 'owner') names.transfer = await transferOf(cookie);
  }
  before = await state();
});

/** Returns rows of the tenant. A call that is refused must not change any of them. */
async function state(): Promise<unknown> {
  const tables = ['applications', 'application_locations', 'audit_log', 'locations', 'services', 'specialists'];
  // Omits deliveries and the health of endpoints, because background work changes both.
  tables.push(
    'offerings',
    'specialist_hours',
    'blocks',
    'bookings',
    'slot_claims',
    'webhook_replays',
    'memberships',
    'invitations',
    'calendar_feeds',
    'calendars',
  );
  const found = [];
  for (const table of tables) {
    const { rows } = await pool().query(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE tenant_id = (SELECT tenant_id FROM applications WHERE id = $1)
       ORDER BY 1`,
      [names.applicationId],
    );
    // Omits the audit log's entries of ended sessions, because every member may end their own sessions.
    found.push([table, rows.filter(({ row }) => row.action !== 'user.sessions_ended')]);
  }
  const keys = await pool().query('SELECT * FROM api_keys WHERE application_id = $1 ORDER BY id', [
    names.applicationId,
  ]);
  return [...found, keys.rows];
}

const call = (who: Who, path: string, named = names): Promise<Reply> =>
  callAs({ member: members[who] }, path, JSON.stringify(ENTRIES[path]?.input(named) ?? {}), new Date());

const refused = (status: number, code: string) => ({ status, body: expect.stringContaining(`"code":"${code}"`) });

/** Calls all procedures, and expects what `expected` returns for each. */
async function expectEach(who: Who, expected: (path: string) => { status: number; body?: string } | null) {
  for (const { path } of procedures) {
    const one = expected(path);
    if (one !== null) expect([path, await call(who, path)]).toMatchObject([path, one]);
  }
}

const statusOf = (path: string) => ({ status: ENTRIES[path]?.status ?? 200 });
const isOfOwners = (path: string) => ENTRIES[path]?.role === 'OWNER';

test('has exactly one entry per procedure', () => {
  expect(Object.keys(ENTRIES).sort()).toEqual(procedures.map(({ path }) => path).sort());
  expect(Object.keys(ENTRIES)).toEqual(expect.arrayContaining([...FRONT_DESK]));
});

test('returns 401 without a session', () => expectEach('nobody', () => refused(401, 'sign_in_required')));

test('returns 403 to support for procedures of owners', () =>
  expectEach('support', (path) => (isOfOwners(path) ? refused(403, 'forbidden') : statusOf(path))));

test('returns 403 to the front desk, except for bookings, the catalog, and its own account', () =>
  expectEach('desk', (path) => {
    if (!FRONT_DESK.has(path)) return refused(403, 'forbidden');
    // The last test makes the calls with which the front desk may change rows.
    return isOfOwners(path) ? null : statusOf(path);
  }));

test('reveals nothing to the owner of another tenant', async () => {
  for (const { path } of procedures) {
    const reply = await call('stranger', path);
    if (ENTRIES[path]?.names === 'a record') expect([path, reply]).toMatchObject([path, refused(404, 'not_found')]);
    for (const secret of secrets) expect(reply.body).not.toContain(secret);
  }
  expect(await state()).toEqual(before);
});

// Proves that the inputs are valid. With invalid inputs, the refusals above would prove nothing.
test('members who may make the calls can make them', async () => {
  // The front desk changes the booking `deskReference`. The booking in `names` stays unchanged for the owner's calls.
  for (const { path } of procedures.filter((one) => FRONT_DESK.has(one.path) && isOfOwners(one.path)))
    expect([path, (await call('desk', path, { ...names, reference: deskReference })).status]).toEqual([path, 200]);
  // The booking procedures are called first, because the catalog procedures unpublish the service.
  const isBooking = ({ path }: { path: string }) => path.startsWith('bookings.');
  for (const { path } of [...procedures.filter(isBooking), ...procedures.filter((one) => !isBooking(one))])
    expect([path, await call('owner', path)]).toMatchObject([path, statusOf(path)]);
});
