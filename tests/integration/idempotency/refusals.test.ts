import { expect, test } from 'vitest';
import { newBookingReference } from '@/lib/platform/ids';
import { countRows, expectRefusal, NOTHING } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, offer } from '@/tests/support/factories';

const KEY = 'order-4711-create';

test('a repeated refused request is evaluated again: it succeeds once the slot is free, and is then replayed', async () => {
  const { create, body, book, cancel, tenant } = await makeDesk();
  const { reference } = await book();
  for (let i = 0; i < 2; i += 1) {
    const refused = await create(body(), { key: KEY });
    expectRefusal(refused, 409, 'booking_unavailable', 'slot_taken');
    expect(refused.headers['idempotent-replayed']).toBeUndefined();
  }
  await cancel(reference);
  const made = await create(body(), { key: KEY });
  expect([made.status, made.headers['idempotent-replayed']]).toEqual([201, undefined]);
  const again = await create(body(), { key: KEY });
  expect(again.data).toEqual(made.data);
  expect(again.headers['x-original-request-id']).toBe(made.requestId);
  expect(await countRows(tenant.id)).toMatchObject({ bookings: 2, claims: 1 });
});

test('a version conflict binds its key and is evaluated again', async () => {
  const { book, cancel, reschedule } = await makeDesk();
  const { reference, date } = await book();
  expectRefusal(await cancel(reference, { expected_version: 2 }, { key: KEY }), 409, 'booking_version_conflict');
  expectRefusal(await cancel(reference, { expected_version: 1 }, { key: KEY }), 409, 'idempotency_key_reused');
  await reschedule(reference, { expected_version: 1, date, start_time: '12:00' });
  expect((await cancel(reference, { expected_version: 2 }, { key: KEY })).data.booking.version).toBe(3);
});

test('a 400 binds nothing: the corrected request works with the same key', async () => {
  const { create, body, tenant } = await makeDesk();
  const bad = [
    '{',
    { ...body(), date: '2027-02-30' },
    { ...body(), service_ids: [] },
    body('10:00', { external_reference: 'robin@sample.example' }),
  ];
  for (const one of bad) expect((await create(one, { key: KEY })).status).toBe(400);
  expect(await countRows(tenant.id)).toEqual(NOTHING);
  expect((await create(body(), { key: KEY })).status).toBe(201);
});

test('location_required binds nothing', async () => {
  const { create, body, tenant, specialists, service } = await makeDesk();
  await offer(tenant.id, specialists, [service], [await makeLocation(tenant.id)]);
  const reply = await create(body('10:00', { location_id: undefined }), { key: KEY });
  expectRefusal(reply, 400, 'invalid_request', 'location_required');
  expect(await countRows(tenant.id)).toEqual(NOTHING);
  expect((await create(body(), { key: KEY })).status).toBe(201);
});

test('a 404 binds nothing: the corrected request works with the same key', async () => {
  const { create, body, tenant, cancel, book } = await makeDesk();
  for (const more of [{ service_id: 'svc_x' }, { location_id: 'loc_x' }, { specialist_id: 'spc_x' }]) {
    expect((await create(body('10:00', more), { key: KEY })).status).toBe(404);
  }
  expect((await cancel(newBookingReference(), undefined, { key: KEY })).status).toBe(404);
  expect(await countRows(tenant.id)).toEqual(NOTHING);
  const { reference } = await book();
  expect((await cancel(reference, undefined, { key: KEY })).status).toBe(200);
});

test('a 403 binds nothing: the corrected request works with the same key', async () => {
  const { tenant, location, specialists, service, body } = await makeDesk();
  const elsewhere = await makeLocation(tenant.id);
  await offer(tenant.id, specialists, [service], [elsewhere]);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [location.id] });
  const { create } = partnerOf(key);
  expect((await create(body('10:00', { location_id: elsewhere.id }), { key: KEY })).status).toBe(403);
  expect(await countRows(tenant.id)).toEqual(NOTHING);
  expect((await create(body(), { key: KEY })).status).toBe(201);
});

test('a 401 and a 429 bind nothing', async () => {
  const { create, body, slots, service, tenant } = await makeDesk({ policy: { quota: 1 } });
  expect((await slots({ service_id: service.id, date: dayAhead() })).status).toBe(200);
  expectRefusal(await create(body(), { key: KEY }), 429, 'rate_limited');
  expectRefusal(await partnerOf('nonsense').create(body(), { key: KEY }), 401, 'invalid_api_key', 'malformed');
  expect(await countRows(tenant.id)).toEqual(NOTHING);
});
