import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '@/lib/access/owners/session';
import { flushRefusedCalls, recordRefusedCall } from '@/lib/activity/audit/refused-calls';
import type { OperationId } from '@/lib/contract/operations';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { bringRulesIntoForce } from '@/lib/operations/environment/zone-rules';
import { readBacklog } from '@/lib/operations/metrics/backlog';
import { prune } from '@/lib/operations/retention/prune';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { bookingRow } from '@/tests/support/booking-rows';
import { CUSTOMER, dayAhead } from '@/tests/support/bookings';
import { makePerson } from '@/tests/support/control-center';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { moveToPast } from '@/tests/support/past';
import { requestIdAt } from '@/tests/support/request-lines';
import { setLogDays } from '@/tests/support/retention';
import { runsOf, watch } from '@/tests/support/thin-events';
import { addEndpoint } from '@/tests/support/webhooks';
import { callRoute, type Request } from '../isolation/requests';
import { NOBODY } from '../partner-v1/booking-states';

process.env.DATABASE_POOL = '16';

// This test file has its own database, because retention applies to all tenants. There is no server.
let database: OwnDatabase;

beforeAll(async () => {
  database = await ownDatabase();
  await claimEnvironment(database.url, { environment: 'TEST', secretKey: env().SECRET_KEY });
  await bringRulesIntoForce(new Date(), new AbortController().signal);
});

afterAll(() => database.drop());

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY);
const query = async (sql: string, ...values: unknown[]) => (await database.query(sql, values)).rows;

async function makeDesk() {
  const business = await makeBusiness();
  const call = async (id: OperationId, request: Request) => {
    const { status, headers, body } = await callRoute(id, business.key, request);
    const replayed = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const { data, error } = JSON.parse(String(body));
    return { status, isReplay: replayed.get('idempotent-replayed') === 'true', data, error };
  };
  const create = (start_time: string, idempotencyKey: string = randomUUID(), more: object = {}) => {
    const asked = { service_id: business.service.id, date: dayAhead(), start_time };
    const body = { ...asked, external_reference: 'order-1', customer: CUSTOMER, ...more };
    return call('createBooking', { body, idempotencyKey });
  };
  return {
    ...business,
    set: (column: string, days: number | null) =>
      query(`UPDATE tenants SET ${column} = $2 WHERE id = $1`, business.tenant.id, days),
    keepLog: (request_log_days: number) => setLogDays(business.tenant.id, request_log_days),
    create,
    read: (reference: string) => call('readBooking', { reference }),
    listEvents: (query = {}) => call('listEvents', { query }),
    cancel: (reference: string) =>
      call('cancelBooking', { reference, body: { expected_version: 1 }, idempotencyKey: randomUUID() }),
  };
}

test('contacts and optional fields are erased in bookings and replays after the retention, without a version change', async () => {
  const { tenant, create, read, set } = await makeDesk();
  const keys = { old: randomUUID(), young: randomUUID() };
  const customer = { ...CUSTOMER, email: 'robin@mail.example.com', locale: 'de-DE' };
  const options = { customer, note: 'No stairs.', metadata: { basket: '4711' } };
  const [old, young] = [await create('10:00', keys.old, options), await create('11:00', keys.young, options)];
  const reference = old.data.booking.reference;
  await moveToPast(reference, 7 + 11);
  await moveToPast(young.data.booking.reference, 7 + 9);
  await set('contact_days', 10);
  const before = (await read(reference)).data.booking;
  expect(await prune(new Date())).toMatchObject({ contacts: 1, more: false });
  const none = { customer_email: null, customer_locale: null, note: null, metadata: null };
  expect(await bookingRow(reference)).toMatchObject(none);
  const hidden = { customer: NOBODY, note_characters: null, metadata: null };
  expect((await read(reference)).data.booking).toEqual({ ...before, ...hidden });
  const replay = await create('10:00', keys.old, options);
  expect(replay.status).toBe(201);
  expect(replay.isReplay).toBe(true);
  expect(replay.data).toEqual({ booking: { ...old.data.booking, ...hidden } });
  expect((await create('11:00', keys.young, options)).data).toEqual(young.data);
  const lines = await query(
    `SELECT * FROM audit_log WHERE tenant_id = $1 AND action = 'contacts.anonymised'`,
    tenant.id,
  );
  expect(lines).toMatchObject([{ actor_kind: 'system', object_kind: 'tenant', after: { bookings: 1 } }]);
  expect(await prune(new Date())).toMatchObject({ contacts: 0 });
  await set('contact_days', null);
  expect(await prune(new Date(Date.now() + 20 * DAY))).toMatchObject({ contacts: 0 });
});

test('a stored response that cannot be decrypted does not keep the contacts of other bookings', async () => {
  const { create, read, set } = await makeDesk();
  const keys = [randomUUID(), randomUUID()];
  const made = [await create('10:00', keys[0]), await create('11:00', keys[1])];
  const [unreadable = '', readable = ''] = made.map(({ data }) => data.booking.reference);
  for (const reference of [unreadable, readable]) await moveToPast(reference, 7 + 11);
  await query('UPDATE idempotency_keys SET response = $2 WHERE booking_reference = $1', unreadable, Buffer.alloc(64));
  await set('contact_days', 10);
  expect(await prune(new Date())).toMatchObject({ contacts: 2, more: false });
  for (const reference of [unreadable, readable]) {
    expect((await read(reference)).data.booking.customer).toEqual(NOBODY);
  }
  expect((await create('11:00', keys[1])).data.booking.customer).toEqual(NOBODY);
});

test('a contact whose consent was withdrawn is removed when the appointment has ended, whatever the setting', async () => {
  const { set, create, read } = await makeDesk();
  await set('contact_days', null);
  const [ended, upcoming, kept] = [await create('13:00'), await create('14:00'), await create('15:00')].map(
    ({ data }) => data.booking.reference,
  );
  for (const reference of [ended, kept]) await moveToPast(reference ?? '', 7 + 1);
  await query('UPDATE bookings SET consent_withdrawn_at = now() WHERE reference = ANY($1)', [ended, upcoming]);
  expect(await prune(new Date())).toMatchObject({ contacts: 1 });
  const withContact = await query(
    'SELECT reference FROM bookings WHERE reference = ANY($1) AND customer_name IS NOT NULL ORDER BY starts_at',
    [ended, upcoming, kept],
  );
  expect(withContact).toEqual([{ reference: kept }, { reference: upcoming }]);
  expect((await read(kept ?? '')).data.booking.customer.name).toBe(CUSTOMER.name);
});

test('request log entries are deleted by the tenant’s setting, those without a tenant after 30 days', async () => {
  const { tenant, applicationId, keyId, keepLog } = await makeDesk();
  const insert = (days: number, known: boolean) =>
    query(
      `INSERT INTO request_log (request_id, at, tenant_id, application_id, key_id, method, status, duration_ms)
       VALUES ($1, $2, $3, $4, $5, 'GET', 404, 1)`,
      requestIdAt(ago(days)),
      ago(days),
      ...(known ? [tenant.id, applicationId, keyId] : [null, null, null]),
    );
  for (const days of [6, 8, 22, 31]) {
    await insert(days, true);
    await insert(days, false);
  }
  await keepLog(7);
  expect(await prune(new Date())).toMatchObject({ request_lines: 4 });
  const left = (tenantId: string | null) =>
    query('SELECT FROM request_log WHERE tenant_id IS NOT DISTINCT FROM $1 AND status = 404', tenantId);
  expect([await left(tenant.id), await left(null)].map((rows) => rows.length)).toEqual([1, 3]);
  await keepLog(30);
});

test('finished deliveries are deleted with their attempts; requested, running, and recently held ones are kept', async () => {
  const { tenant, applicationId, set } = await makeDesk();
  const { emit } = await addEndpoint(tenant.id, applicationId, 'http://127.0.0.1:3999/');
  // The endpoints are paused first, so that nothing is sent.
  await query(
    `UPDATE webhook_endpoints SET state = 'paused', state_reason = 'owner' WHERE application_id = $1`,
    applicationId,
  );
  const [old = '', young = '', asked = '', leased = '', held = '', longHeld = ''] = await emit(6);
  const finish = (id: string, days: number) =>
    query(
      `UPDATE deliveries SET state = 'succeeded', next_attempt_at = NULL, finished_at = $2 WHERE id = $1`,
      id,
      ago(days),
    );
  await finish(old, 15);
  await finish(young, 13);
  await finish(asked, 15);
  await finish(leased, 15);
  await query(
    'UPDATE deliveries SET manual_requested_at = now(), manual_by_id = $2 WHERE id = $1',
    asked,
    newId('usr'),
  );
  await query(`UPDATE deliveries SET leased_until = now() + interval '1 minute' WHERE id = $1`, leased);
  await query('UPDATE deliveries SET created_at = $2 WHERE id = $1', held, ago(29));
  await query('UPDATE deliveries SET created_at = $2 WHERE id = $1', longHeld, ago(29));
  await set('delivery_days', 14);
  expect(await readBacklog()).toMatchObject({ deliveries: 1 });
  const left = async () =>
    (await query('SELECT id FROM deliveries WHERE tenant_id = $1', tenant.id)).map(({ id }) => id);
  expect(await prune(new Date())).toMatchObject({ deliveries: 1 });
  expect((await left()).sort()).toEqual([young, asked, leased, held, longHeld].sort());
  await query('UPDATE deliveries SET created_at = $2 WHERE id = $1', longHeld, ago(31));
  expect(await readBacklog()).toMatchObject({ deliveries: 1 });
  expect(await prune(new Date())).toMatchObject({ deliveries: 1 });
  expect((await left()).sort()).toEqual([young, asked, leased, held].sort());
  // The events are kept, because they record the versions of bookings.
  expect(await query('SELECT FROM events WHERE tenant_id = $1', tenant.id)).toHaveLength(6);
});

test('a pending delivery of an active endpoint is kept, however old it is', async () => {
  const { tenant, applicationId } = await makeDesk();
  const { emit } = await addEndpoint(tenant.id, applicationId, 'http://127.0.0.1:3999/');
  // The delivery becomes due tomorrow.
  const [id] = await emit(1, new Date(Date.now() + DAY));
  await query('UPDATE deliveries SET created_at = $2 WHERE id = $1', id, ago(100));
  expect(await readBacklog()).toMatchObject({ deliveries: 0 });
  expect(await prune(new Date())).toMatchObject({ deliveries: 0 });
  expect(await query('SELECT id FROM deliveries WHERE tenant_id = $1', tenant.id)).toEqual([{ id }]);
});

test('the seat of a booking is removed a week after its end, not earlier', async () => {
  const { create } = await makeDesk();
  const [young, old] = [await create('10:00'), await create('11:00')];
  const daysUntilEnd = ({ data }: typeof young) => (Date.parse(data.booking.ends_at) - Date.now()) / DAY;
  await moveToPast(young.data.booking.reference, daysUntilEnd(young) + 6.9);
  await moveToPast(old.data.booking.reference, daysUntilEnd(old) + 7.1);
  expect(await prune(new Date())).toMatchObject({ seats: 1 });
  const claim = (reference: string) => query('SELECT claim_id FROM bookings WHERE reference = $1', reference);
  expect(await claim(young.data.booking.reference)).toEqual([{ claim_id: expect.any(String) }]);
  expect(await claim(old.data.booking.reference)).toEqual([{ claim_id: null }]);
});

test('the events of a booking are deleted after the visit, but not before their deliveries', async () => {
  const { tenant, applicationId, create, set } = await makeDesk();
  const [old, young] = [await create('10:00'), await create('11:00')];
  await moveToPast(old.data.booking.reference, 7 + 101);
  await moveToPast(young.data.booking.reference, 7 + 99);
  const { emit } = await addEndpoint(tenant.id, applicationId, 'http://127.0.0.1:3999/');
  await query(`UPDATE webhook_endpoints SET state = 'paused', state_reason = 'owner' WHERE tenant_id = $1`, tenant.id);
  await emit(1);
  // All events are now older than `history_days`, so only the dates of the appointments matter.
  await query('UPDATE events SET at = $2 WHERE tenant_id = $1', tenant.id, ago(150));
  await set('history_days', null);
  expect([await prune(new Date()), await readBacklog()]).toMatchObject([{ events: 0 }, { events: 0 }]);
  await set('history_days', 100);
  expect(await readBacklog()).toMatchObject({ events: 1 });
  expect(await prune(new Date())).toMatchObject({ events: 1, more: false });
  expect(await readBacklog()).toMatchObject({ events: 0 });
  const left = await query('SELECT booking_reference AS reference FROM events WHERE tenant_id = $1', tenant.id);
  expect(left).toHaveLength(2);
  expect(left).not.toContainEqual({ reference: old.data.booking.reference });
  await query('DELETE FROM deliveries WHERE tenant_id = $1', tenant.id);
  expect(await prune(new Date())).toMatchObject({ events: 1 });
});

test('sequences of events expire from the oldest on, and an expired one gets a 400', async () => {
  const { applicationId, create, listEvents } = await makeDesk();
  for (const start of ['10:00', '11:00', '12:00', '13:00']) await create(start);
  await query(
    `UPDATE event_sequences SET committed_at = committed_at - interval '33 days' WHERE application_id = $1 AND sequence < 3`,
    applicationId,
  );
  expect(await prune(new Date())).toMatchObject({ event_sequences: 2 });
  for (const all of [{}, { after: '2' }])
    expect((await listEvents(all)).data.events).toMatchObject([{ sequence: 3 }, { sequence: 4 }]);
  for (const after of ['0', '1']) {
    const { status, error } = await listEvents({ after });
    expect([status, error]).toMatchObject([400, { reason: 'events_expired', fields: [{ path: 'after' }] }]);
  }
});

test('thin events are not kept longer than their sequences, unlike events of bookings', async () => {
  const { tenant, applicationId, specialist, create, listEvents } = await makeDesk();
  const runs = runsOf(tenant.id);
  await watch({ tenant, applicationId }, runs);
  await create('10:00');
  await runs.after();
  expect((await listEvents()).data.events).toHaveLength(4);
  await query(
    `UPDATE event_sequences SET committed_at = committed_at - interval '33 days' WHERE application_id = $1`,
    applicationId,
  );
  await query('DELETE FROM webhook_endpoints WHERE application_id = $1', applicationId);
  await create('12:00');
  await runs.after();
  // Of a write that ran when the watch ended.
  await query(
    `INSERT INTO slot_changes (tenant_id, subject_id, local, from_minute, to_minute) VALUES ($1, $2, true, 0, 30)`,
    tenant.id,
    specialist.id,
  );
  await prune(new Date());
  expect(await query('SELECT FROM slot_changes WHERE tenant_id = $1', tenant.id)).toEqual([]);
  const types = await query('SELECT DISTINCT type FROM events WHERE tenant_id = $1', tenant.id);
  expect(types).toEqual([{ type: 'booking.created' }]);
});

test('expired idempotency keys and old sessions and invitations are deleted', async () => {
  const { create, tenant } = await makeDesk();
  await create('10:00');
  const userId = newId('usr');
  await query(
    `INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, 'A', '$argon2id$v=19$m=1,t=1,p=1$a$b')`,
    userId,
    `${userId}@a.example`,
  );
  for (const days of [31, 29]) {
    const [begun, ended] = [ago(days + 1), ago(days)];
    await query(
      'INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)',
      newId('ses'),
      userId,
      begun,
      ended,
    );
    await query(
      `INSERT INTO invitations (id, tenant_id, email, role, token_hash, invited_by_id, created_at, expires_at)
       VALUES ($1, $2, $3, 'SUPPORT', decode(md5($3) || md5($3), 'hex'), $4, $5, $6)`,
      newId('inv'),
      tenant.id,
      `${days}@a.example`,
      userId,
      begun,
      ended,
    );
  }
  expect(await readBacklog()).toMatchObject({ idempotency_keys: 0, sessions: 1, invitations: 1 });
  expect(await prune(new Date())).toMatchObject({ idempotency_keys: 0, sessions: 1, invitations: 1 });
  expect(await readBacklog()).toMatchObject({ sessions: 0, invitations: 0 });
  expect(await query('SELECT email FROM invitations')).toEqual([{ email: '29@a.example' }]);
  const later = await prune(new Date(Date.now() + 7 * DAY + 60_000));
  expect(later.idempotency_keys).toBeGreaterThan(0);
  expect(await query('SELECT FROM idempotency_keys')).toHaveLength(0);
});

test('sign-ins are deleted after 90 days', async () => {
  const { tenant } = await makeDesk();
  const { userId } = await makePerson(tenant.id);
  for (const days of [89, 91]) await openSession(ago(days), { userId, method: 'password', address: '192.0.2.1' }, null);
  expect(await readBacklog()).toMatchObject({ sign_ins: 1 });
  expect(await prune(new Date())).toMatchObject({ sign_ins: 1 });
  expect(await readBacklog()).toMatchObject({ sign_ins: 0 });
  expect(await query('SELECT FROM sign_ins WHERE user_id = $1', userId)).toHaveLength(1);
});

test('refused calls are deleted after 90 days', async () => {
  const { tenant } = await makeDesk();
  const { userId } = await makePerson(tenant.id);
  for (const days of [89, 91])
    recordRefusedCall(ago(days), { userId, tenantId: tenant.id, procedure: 'team.list', code: 'forbidden' });
  await flushRefusedCalls();
  expect(await readBacklog()).toMatchObject({ refused_calls: 1 });
  expect(await prune(new Date())).toMatchObject({ refused_calls: 1 });
  expect(await readBacklog()).toMatchObject({ refused_calls: 0 });
  expect(await query('SELECT FROM refused_calls WHERE user_id = $1', userId)).toHaveLength(1);
});

test('runs are bounded, and the next run continues; concurrent runs share the work and block no partner write', async () => {
  const { tenant, create, cancel, set } = await makeDesk();
  const starts = Array.from(
    { length: 8 },
    (_, n) => `${String(9 + Math.floor(n / 2)).padStart(2, '0')}:${n % 2 ? '30' : '00'}`,
  );
  const references: string[] = [];
  for (const start of starts) references.push((await create(start)).data.booking.reference);
  for (const reference of references) await moveToPast(reference, 30);
  await set('contact_days', 1);
  expect(await prune(new Date(), { batch: 2, maxBatches: 2 })).toMatchObject({ contacts: 4, seats: 4, more: true });
  expect(await readBacklog()).toMatchObject({ contacts: 4, seats: 4 });
  const runs = [1, 2, 3, 4].map(() => prune(new Date(), { batch: 2 }));
  const cancels = references.map((reference) => cancel(reference));
  const [pruned, cancelled] = await Promise.all([Promise.all(runs), Promise.all(cancels)]);
  // The bookings have already started, so every cancellation by the partner is refused.
  expect(new Set(cancelled.map(({ status }) => status))).toEqual(new Set([409]));
  const rest = await prune(new Date());
  expect([...pruned, rest].reduce((sum, { contacts }) => sum + contacts, 0)).toBe(4);
  expect([...pruned, rest].reduce((sum, { seats }) => sum + seats, 0)).toBe(4);
  expect(await query('SELECT FROM slot_claims WHERE tenant_id = $1', tenant.id)).toHaveLength(0);
  const left = await query('SELECT FROM bookings WHERE tenant_id = $1 AND customer_name IS NOT NULL', tenant.id);
  expect(left).toHaveLength(0);
  await query('DELETE FROM idempotency_keys WHERE status IS NULL');
  expect(await query('SELECT count(*)::int AS n FROM idempotency_keys WHERE response IS NOT NULL')).toEqual([{ n: 8 }]);
});
