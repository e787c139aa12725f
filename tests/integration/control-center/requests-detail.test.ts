import { expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { newBookingReference, newId } from '@/lib/platform/ids';
import { BOOKINGS, makeDesk } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { callProcedure, makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { hang, startReceiver } from '@/tests/support/receiver';
import { ago, writeLines } from '@/tests/support/request-lines';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';
import { ask as askRaw } from '../edge/raw';
import { sendTo } from '../partner-v1/sendTestEvent/send';
import { type Ask, anyHash, makeLog, memberOf } from './requests-lines';

const get = (ask: Ask, requestId: string | undefined) => ask('requests.get', { request_id: requestId });

test('returns all logged fields and help for the code, but not the idempotency key hash', async () => {
  const { ask, write, tenant } = await makeLog();
  const hash = anyHash();
  const [line] = await write({
    method: 'POST',
    route: '/api/partner/v1/bookings',
    path: '/api/partner/v1/bookings',
    status: 400,
    code: 'invalid_request',
    invalid_fields: ['customer.phone'],
    address: '192.0.2.7',
    idempotency_key_hash: hash,
  });
  const { data } = await get(ask, line?.request_id);
  expect(data).toMatchObject({
    status: 400,
    invalid_fields: ['customer.phone'],
    address: '192.0.2.7',
    user_agent: 'partner/1.0',
    application: { name: 'Acme' },
    had_idempotency_key: true,
    help: { remedy: 'partner' },
  });
  expect(JSON.stringify(data)).not.toMatch(new RegExp(`${hash}|${tenant.id}`));
});

test('returns a path parameter only if it is a booking reference', async () => {
  const { ask, write } = await makeLog();
  const route = '/api/partner/v1/bookings/{pbr_reference}';
  const path = (segment: string) => `/api/partner/v1/bookings/${segment}`;
  const reference = newBookingReference();
  const [good, key] = await write({ route, path: path(reference) }, { route, path: path('pbk_test_pasted') });
  expect((await get(ask, good?.request_id)).data).toMatchObject({
    path: path(reference),
    booking_reference: reference,
  });
  const { data } = await get(ask, key?.request_id);
  expect(data).toMatchObject({ path: null, booking_reference: null });
  expect(JSON.stringify(data)).not.toContain('pasted');
});

test('names the missing scope', async () => {
  const { ask, write } = await makeLog();
  const [line] = await write({ status: 403, code: 'insufficient_scope' });
  expect((await get(ask, line?.request_id)).data).toMatchObject({
    required_scope: 'catalog.read',
    help: { remedy: 'policy' },
  });
});

test('finds an unauthenticated request only by its exact id, without its address', async () => {
  const { ask } = await makeLog();
  const [line] = await writeLines([{ status: 401, code: 'invalid_api_key', reason: 'missing' }]);
  expect((await get(ask, line?.request_id)).data).toMatchObject({ application: null, key: null, address: null });
  const { data } = await ask('requests.list', { period: '30d' });
  expect(data).toMatchObject({ rows: [] });
});

test('hides the requests of other tenants from every procedure', async () => {
  const ownLog = await makeLog();
  const hash = anyHash();
  const [line] = await ownLog.write({ external_reference: 'order-7', idempotency_key_hash: hash });
  const stranger = memberOf((await makeTenant()).id);
  for (const id of [line?.request_id, newId('req'), 'nonsense', '']) {
    expect((await get(stranger, id)).error).toMatchObject({ code: 'not_found', reason: null, fields: [] });
  }
  const filters = { period: '30d', application_id: ownLog.applicationId, key_id: ownLog.keyId };
  expect((await stranger('requests.list', filters)).data).toMatchObject({ rows: [] });
  expect((await stranger('requests.list', { period: '30d', reference: 'order-7' })).data).toMatchObject({ rows: [] });
  expect((await stranger('requests.choices')).data).toMatchObject({ applications: [] });
});

test('relates the original, replays and refusals of one idempotency key to each other', async () => {
  const { ask, write } = await makeLog();
  const hash = anyHash();
  const first = { method: 'POST', idempotency_key_hash: hash };
  const [original] = await write({ ...first, status: 201, at: ago(50) });
  const [replay] = await write({ ...first, status: 201, at: ago(40), replayed_from: original?.request_id ?? null });
  const [reused] = await write({ ...first, status: 409, code: 'idempotency_key_reused', at: ago(30) });
  const related = async (id: string | undefined) =>
    ((await get(ask, id)).data as { related: { request_id: string; relation: string }[] }).related.map((one) => [
      one.request_id,
      one.relation,
    ]);
  expect(await related(original?.request_id)).toEqual([
    [replay?.request_id, 'replay'],
    [reused?.request_id, 'same_key'],
  ]);
  expect(await related(replay?.request_id)).toEqual([
    [original?.request_id, 'original'],
    [reused?.request_id, 'same_key'],
  ]);
});

test('returns the event of a booking request and a support text without secrets or contacts', async () => {
  const desk = await makeDesk();
  const ask = memberOf(desk.tenant.id, 'SUPPORT');
  const { requestId } = await desk.create(desk.body('10:00', { external_reference: 'order-77' }));
  const { data } = await until(
    () => get(ask, requestId),
    ({ error }) => error === null,
  );
  const { support_text: text } = data as { support_text: string };
  expect(data).toMatchObject({ events: [{ type: 'booking.created', version: 1 }], external_reference: 'order-77' });
  const names = ['Environment', 'Method and URL', 'UTC time', 'Status', 'X-Request-Id'];
  expect(text.split('\n').map((line) => line.split(':')[0])).toEqual(names);
  expect(text).toContain(requestId);
  expect(text).not.toMatch(new RegExp(`pbk_|pbr_|order-77|Robin|5550|${desk.applicationId}`));
});

type Help = { help: { key: string; fix: string } };

/** Returns the key of the help on the page of a request. */
async function helpKey(ask: Ask, requestId: string): Promise<string> {
  const { data } = await until(
    () => get(ask, requestId),
    ({ error }) => error === null,
  );
  return (data as Help).help.key;
}

test('a request that could not be read gets no help that speaks of listed fields', async () => {
  const desk = await makeDesk();
  const ask = memberOf(desk.tenant.id);
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'unreadable-requests' };
  const valid = JSON.stringify(desk.body());
  const bodies = ['', '{"date":', '[1,2', `{"date":1,${valid.slice(1)}`, valid + ' '.repeat(16 * 1024), '['.repeat(99)];
  for (const body of bodies) {
    const reply = await desk.client(BOOKINGS, { method: 'POST', headers, body });
    expect([reply.status, reply.error.fields], reply.text).toEqual([400, []]);
    expect(await helpKey(ask, reply.requestId), reply.text).toBe('cases.unreadableBody');
  }
  const long = await desk.client(`${BASE_PATH}/catalog?${'limit=1&'.repeat(60)}`);
  expect(long.status).toBe(400);
  expect(await helpKey(ask, long.requestId)).toBe('cases.unreadableQuery');
  const { port } = new URL(sharedServer().origin);
  const { status, headers: answered } = await askRaw(Number(port), 'GET /api/partner/v1/catalog HTTP/9.9\r\n\r\n');
  expect(status).toBe(400);
  expect(await helpKey(ask, answered.get('x-request-id') ?? '')).toBe('cases.notHttp');
  const invalid = await desk.create({ ...desk.body(), date: 'soon' });
  expect(await helpKey(ask, invalid.requestId)).toBe('codes.invalid_request');
});

test('the help for a forced error and for waiting test events does not speak of a failure or the quota', async () => {
  const desk = await makeDesk();
  const ask = memberOf(desk.tenant.id);
  for (const [word, status] of [
    ['503', 503],
    ['429', 429],
    ['slot_taken', 409],
  ] as const) {
    const forced = await desk.create(desk.body('10:00', { external_reference: `test:${word}:order-1` }));
    expect(forced.status).toBe(status);
    expect(await helpKey(ask, forced.requestId)).toBe('cases.forced');
  }
  const receiver = await startReceiver(hang);
  await addEndpoint(desk.tenant.id, desk.applicationId, receiver.url);
  const replies = await Promise.all(Array.from({ length: 11 }, () => sendTo(desk)));
  const refused = replies.find(({ status }) => status === 429);
  expect(await helpKey(ask, refused?.requestId ?? '')).toBe('cases.waitingTestEvents');
  await receiver.close();
});

test('returns the booking reference of a refused action', async () => {
  const desk = await makeDesk();
  const ask = memberOf(desk.tenant.id);
  const { reference } = await desk.book();
  const { requestId } = await desk.cancel(reference, { expected_version: 9 });
  const { data } = await until(
    () => get(ask, requestId),
    ({ error }) => error === null,
  );
  expect(data).toMatchObject({ code: 'booking_version_conflict', booking_reference: reference, events: [] });
});

test('does not log the calls of the Control Center itself', async () => {
  const { origin } = sharedServer();
  const { tenant, ask } = await makeLog();
  const person = await makePerson(tenant.id);
  const cookie = await openSessionOf(person);
  for (const path of ['requests.choices', 'overview.attention', 'session.me']) {
    expect((await callProcedure(path, { origin, cookie, type: 'query' })).status).toBe(200);
  }
  // Log entries are written in order. Once the entry of this request is in the database, any entries of the calls above
  // would be there too.
  const { requestId } = await createClient({ origin })(`${BASE_PATH}/catalog`);
  await until(
    () => get(ask, requestId),
    ({ error }) => error === null,
  );
  expect((await ask('requests.list', { period: '30d' })).data).toMatchObject({ rows: [] });
  expect(await db().requestLog.count({ where: { path: { startsWith: '/api/trpc' } } })).toBe(0);
});

test('returns sign_in_required without a session', async () => {
  const nobody = memberOf(null);
  const [line] = await writeLines([{ status: 401, code: 'invalid_api_key' }]);
  expect((await get(nobody, line?.request_id)).error).toMatchObject({ code: 'sign_in_required' });
  for (const path of ['requests.list', 'requests.histogram'] as const) {
    expect((await nobody(path, {})).error).toMatchObject({ code: 'sign_in_required' });
  }
  for (const path of ['requests.choices', 'overview.attention', 'overview.progress'] as const) {
    expect((await nobody(path)).error).toMatchObject({ code: 'sign_in_required' });
  }
});
