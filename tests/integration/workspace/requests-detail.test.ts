import { expect, test } from 'vitest';
import { db } from '@/lib/db';
import { newId } from '@/lib/ids';
import { dayAhead, partnerOf } from '@/tests/support/bookings';
import { makeBusiness, makeTenant } from '@/tests/support/factories';
import { until } from '@/tests/support/until';
import { type Ask, ago, anyHash, makeLog, memberOf, writeLines } from './requests-lines';

const get = (ask: Ask, requestId: string | undefined) => ask('requests.get', { request_id: requestId });

test('everything logged is shown, with what the code means, and nothing of the idempotency key', async () => {
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

test('a scope that was missing is named', async () => {
  const { ask, write } = await makeLog();
  const [line] = await write({ status: 403, code: 'insufficient_scope' });
  expect((await get(ask, line?.request_id)).data).toMatchObject({
    required_scope: 'catalog.read',
    help: { remedy: 'policy' },
  });
});

test('a request of nobody is found by its exact id, without an address, and is on no page', async () => {
  const { ask } = await makeLog();
  const [line] = await writeLines([{ status: 401, code: 'invalid_api_key', reason: 'missing' }]);
  expect((await get(ask, line?.request_id)).data).toMatchObject({ application: null, key: null, address: null });
  const { data } = await ask('requests.list', { period: '30d' });
  expect(data).toMatchObject({ rows: [] });
});

test('another tenant’s request does not exist, whatever is asked', async () => {
  const mine = await makeLog();
  const hash = anyHash();
  const [line] = await mine.write({ external_reference: 'order-7', idempotency_key_hash: hash });
  const stranger = await memberOf((await makeTenant()).id);
  const unknown = await get(stranger, newId('req'));
  expect(await get(stranger, line?.request_id)).toEqual(unknown);
  expect(unknown).toMatchObject({ status: 404, error: { code: 'not_found' } });
  const filters = { period: '30d', application_id: mine.applicationId, key_id: mine.keyId };
  expect((await stranger('requests.list', filters)).data).toMatchObject({ rows: [] });
  expect((await stranger('requests.list', { period: '30d', reference: 'order-7' })).data).toMatchObject({ rows: [] });
  expect((await stranger('requests.choices')).data).toMatchObject({ applications: [] });
});

test('original, replays and refusals with one key point at each other', async () => {
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

test('a booking’s request shows its event and the support text, which holds no secret and no contact', async () => {
  const business = await makeBusiness();
  const ask = await memberOf(business.tenant.id, 'SUPPORT');
  const { create } = partnerOf(business.key);
  const body = { service_id: business.service.id, date: dayAhead(), start_time: '10:00', external_reference: 'order-77' };
  const { requestId } = await create(body);
  const found = await until(
    () => get(ask, requestId),
    ({ status }) => status === 200,
  );
  const data = found.data as { support_text: string; booking_reference: string };
  expect(data).toMatchObject({ events: [{ type: 'booking.created', version: 1 }], external_reference: 'order-77' });
  expect(data.support_text.split('\n').map((line) => line.split(':')[0])).toEqual([
    'Environment',
    'Endpoint',
    'UTC time',
    'Status',
    'X-Request-Id',
  ]);
  expect(data.support_text).toContain(requestId);
  expect(data.support_text).not.toMatch(new RegExp(`pbk_|pbr_|order-77|${business.applicationId}`));
});

test('the workspace’s own calls are in nobody’s log', async () => {
  const { ask } = await makeLog();
  const before = await db().requestLog.count({ where: { route: null, path: { contains: 'trpc' } } });
  for (const path of ['requests.list', 'requests.choices', 'overview.traffic', 'session.me']) await ask(path, path === 'requests.list' ? {} : undefined);
  expect((await ask('requests.list', { period: '30d' })).data).toMatchObject({ rows: [] });
  expect(await db().requestLog.count({ where: { route: null, path: { contains: 'trpc' } } })).toBe(before);
});

test('nobody, and whoever is no member, gets nothing', async () => {
  const { ask } = await makeLog();
  const nobody = await memberOf((await makeTenant()).id).then(() => ask);
  expect((await nobody('requests.get', { request_id: 'x' })).status).toBe(404);
});
