import { randomUUID } from 'node:crypto';
import type { AnyProcedure } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appRouter } from '@/lib/control-center/trpc/router';
import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { CUSTOMER, dayAhead, partnerOf } from '@/tests/support/bookings';
import { callProcedure, makePerson, openSessionOf, type TrpcReply } from '@/tests/support/control-center';
import { makeBusiness } from '@/tests/support/factories';
import { prepared } from '@/tests/support/prepared';
import { writeLines } from '@/tests/support/request-lines';
import { sharedServer } from '@/tests/support/shared';
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

const { origin } = sharedServer();

type Who = 'nobody' | 'support' | 'desk' | 'stranger' | 'owner';
const cookies: Record<Who, string | null> = { nobody: null, support: null, desk: null, stranger: null, owner: null };
let names: Names;
let deskReference: string;
let secrets: string[];
let before: unknown;

beforeAll(async () => {
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
  for (const who of ['support', 'desk', 'stranger', 'owner'] as const) cookies[who] = await openSessionOf(people[who]);
  names.transfer = await transferOf(cookies.owner);
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

/** The path and type of every procedure, from tRPC's registry. */
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>).map(
  ([path, { _def }]) => ({ path, type: _def.type }),
);

function call(who: Who, path: string, named = names): Promise<TrpcReply> {
  const type = procedures.find((one) => one.path === path)?.type === 'query' ? 'query' : 'mutation';
  return callProcedure(path, { origin, cookie: cookies[who], type, input: ENTRIES[path]?.input(named) });
}

test('has exactly one entry per procedure', () => {
  expect(Object.keys(ENTRIES).sort()).toEqual(procedures.map(({ path }) => path).sort());
  expect(Object.keys(ENTRIES)).toEqual(expect.arrayContaining([...FRONT_DESK]));
});

describe.each(procedures)('$path', ({ path }) => {
  test('returns 401 without a session', async () => {
    expect(await call('nobody', path)).toMatchObject({ status: 401, error: { code: 'sign_in_required' } });
  });

  test('returns 403 to support for procedures of owners', async () => {
    const reply = await call('support', path);
    if (ENTRIES[path]?.role === 'OWNER') expect(reply).toMatchObject({ status: 403, error: { code: 'forbidden' } });
    else if (ENTRIES[path]?.status) expect(reply.status).toBe(ENTRIES[path].status);
    else expect(reply).toMatchObject({ status: 200, error: null });
  });

  test('returns 403 to the front desk, except for bookings, the catalog, and its own account', async () => {
    // Skips the calls with which the front desk may change rows. `afterAll` makes them at the end.
    if (FRONT_DESK.has(path) && ENTRIES[path]?.role === 'OWNER') return;
    const reply = await call('desk', path);
    if (!FRONT_DESK.has(path)) expect(reply).toMatchObject({ status: 403, error: { code: 'forbidden' } });
    else expect(reply.status).toBe(ENTRIES[path]?.status ?? 200);
  });

  test('reveals nothing to the owner of another tenant', async () => {
    const reply = await call('stranger', path);
    if (ENTRIES[path]?.names === 'a record') expect(reply).toMatchObject({ status: 404, error: { code: 'not_found' } });
    const text = JSON.stringify(reply);
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});

// Repeats the calls as members who may make them, to prove that the inputs are valid. With invalid inputs, the refusals
// above would prove nothing.
afterAll(async () => {
  expect(await state()).toEqual(before);
  // The front desk changes the booking `deskReference`. The booking in `names` stays unchanged for the owner's calls.
  for (const { path } of procedures.filter(({ path }) => FRONT_DESK.has(path) && ENTRIES[path]?.role === 'OWNER'))
    expect((await call('desk', path, { ...names, reference: deskReference })).status, path).toBe(200);
  // The booking procedures are called first, because the catalog procedures unpublish the service.
  const isBooking = ({ path }: { path: string }) => path.startsWith('bookings.');
  for (const { path } of [...procedures.filter(isBooking), ...procedures.filter((one) => !isBooking(one))])
    expect((await call('owner', path)).status, path).toBe(ENTRIES[path]?.status ?? 200);
});
