import { expect, test } from 'vitest';
import { issueKey } from '@/lib/access/applications/keys';
import { markChanged } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { countRows, expectRefusal, narrowPolicy } from '@/tests/support/booking-rows';
import { BOOKINGS, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeLocation, offer } from '@/tests/support/factories';
import { until } from '@/tests/support/until';

const KEY = 'order-4711-create';

test('a repeated request gets the same data, with its own request id and the original one', async () => {
  const { create, body, tenant } = await makeDesk();
  const first = await create(body(), { key: KEY });
  const ids = new Set([first.requestId]);
  for (let i = 0; i < 3; i += 1) {
    const again = await create(body(), { key: KEY });
    expect([again.status, again.data]).toEqual([201, first.data]);
    expect(again.text.replace(again.requestId, '*')).toBe(first.text.replace(first.requestId, '*'));
    expect(again.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'x-original-request-id': first.requestId,
      location: `${BOOKINGS}/${first.data.booking.reference}`,
    });
    ids.add(again.requestId);
  }
  expect(ids.size).toBe(4);
  expect(await countRows(tenant.id)).toEqual({ bookings: 1, claims: 1, events: 1, keys: 1 });
});

test('the original response is replayed after a reschedule and a cancellation', async () => {
  const { create, body, reschedule, cancel } = await makeDesk();
  const first = await create(body(), { key: KEY });
  const { reference } = first.data.booking;
  await reschedule(reference, { expected_version: 1, date: dayAhead(8), start_time: '12:00' });
  expect((await create(body(), { key: KEY })).data).toEqual(first.data);
  await cancel(reference, { expected_version: 2 });
  expect((await create(body(), { key: KEY })).data).toEqual(first.data);
});

test('the original response is replayed after the catalog has changed', async () => {
  const { create, body, tenant, service, slots } = await makeDesk();
  const first = await create(body(), { key: KEY });
  await db().service.update({ where: { id: service.id }, data: { published: false, durationMinutes: 60 } });
  await db().specialist.updateMany({ where: { tenantId: tenant.id }, data: { published: false } });
  await db().offering.deleteMany({ where: { tenantId: tenant.id } });
  await markChanged(db(), 'catalog', tenant.id);
  await until(
    () => slots({ service_id: service.id, date: dayAhead() }),
    ({ status }) => status === 404,
  );
  // The service is no longer published. The same request with another idempotency key therefore gets a 404.
  expectRefusal(await create(body()), 404, 'not_found');
  expect((await create(body(), { key: KEY })).data).toEqual(first.data);
});

test('the original response is replayed after the policy has lost the location', async () => {
  const desk = await makeDesk();
  const first = await desk.create(desk.body(), { key: KEY });
  const { reference } = first.data.booking;
  const canceled = await desk.cancel(reference, undefined, { key: `${KEY}-cancel` });
  await narrowPolicy(desk, { locationIds: [] });
  const read = await until(
    () => desk.read(reference),
    ({ status }) => status === 403,
  );
  expectRefusal(read, 403, 'credential_restricted', 'location');
  expectRefusal(await desk.create(desk.body()), 403, 'credential_restricted', 'location');
  expect((await desk.create(desk.body(), { key: KEY })).data).toEqual(first.data);
  expect((await desk.cancel(reference, undefined, { key: `${KEY}-cancel` })).data).toEqual(canceled.data);
  // The server reports a reused idempotency key before it reports a forbidden location.
  expectRefusal(await desk.create(desk.body('12:00'), { key: KEY }), 409, 'idempotency_key_reused');
});

test('an application without the scope gets no replay', async () => {
  const desk = await makeDesk();
  await desk.create(desk.body(), { key: KEY });
  await narrowPolicy(desk, { locationIds: [desk.location.id], scopes: [] });
  const reply = await until(
    () => desk.create(desk.body(), { key: KEY }),
    ({ status }) => status === 403,
  );
  expectRefusal(reply, 403, 'insufficient_scope');
});

test('the original response is replayed after the omitted location has become ambiguous', async () => {
  const { create, body, tenant, specialists, service, slots } = await makeDesk();
  const open = body('10:00', { location_id: undefined });
  const first = await create(open, { key: KEY });
  await offer(tenant.id, specialists, [service], [await makeLocation(tenant.id)]);
  await markChanged(db(), 'catalog', tenant.id);
  await until(
    () => slots({ service_id: service.id, date: dayAhead() }),
    ({ status }) => status === 400,
  );
  expectRefusal(await create(open), 400, 'invalid_request', 'location_required');
  expect((await create(open, { key: KEY })).data).toEqual(first.data);
});

test('every API key of the application gets the replay', async () => {
  const { create, body, tenant, applicationId } = await makeDesk();
  const first = await create(body(), { key: KEY });
  const asked = { tenantId: tenant.id, applicationId, name: 'Second', expiresAt: null };
  const { key } = await issueKey(new Date(), { ...asked, actor: { kind: 'system' } });
  expect((await partnerOf(key).create(body(), { key: KEY })).data).toEqual(first.data);
});
