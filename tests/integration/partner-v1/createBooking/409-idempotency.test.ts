import { expect, test } from 'vitest';
import { countRows, expectRefusal } from '@/tests/support/booking-rows';
import { CUSTOMER, dayAhead, makeDesk } from '@/tests/support/bookings';

const KEY = 'order-4711-create';

test('returns 409 idempotency_key_reused for any other input and writes nothing', async () => {
  const { create, body, tenant, ids } = await makeDesk();
  expect((await create(body(), { key: KEY })).status).toBe(201);
  const others = [
    body('11:00'),
    body('10:00', { date: dayAhead(8) }),
    body('10:00', { location_id: undefined }),
    body('10:00', { specialist_id: ids[0] }),
    body('10:00', { external_reference: 'order-4712' }),
    body('10:00', { customer: { ...CUSTOMER, name: 'Robin  Sample' } }),
    // The same phone number as in the first request, but without spaces.
    body('10:00', { customer: { ...CUSTOMER, phone: '+493055501234' } }),
  ];
  for (const other of others) expectRefusal(await create(other, { key: KEY }), 409, 'idempotency_key_reused');
  expect(await countRows(tenant.id)).toEqual({ bookings: 1, claims: 1, events: 1, keys: 1 });
});

test('returns 409 idempotency_key_reused before it resolves the changed input', async () => {
  const { create, body } = await makeDesk();
  await create(body(), { key: KEY });
  for (const more of [{ service_id: 'svc_unknown' }, { location_id: 'loc_unknown' }, { date: '2020-01-01' }]) {
    expectRefusal(await create(body('10:00', more), { key: KEY }), 409, 'idempotency_key_reused');
  }
});

test('returns 400 for invalid input, even under a used idempotency key', async () => {
  const { create, body } = await makeDesk();
  await create(body(), { key: KEY });
  expect((await create({ ...body(), date: 'soon' }, { key: KEY })).status).toBe(400);
  expect((await create(body('10:00', { external_reference: 'robin@sample.example' }), { key: KEY })).status).toBe(400);
});

test('binds the idempotency key to the input of a refused booking', async () => {
  const { create, body, book } = await makeDesk();
  await book('10:00');
  expectRefusal(await create(body('10:00'), { key: KEY }), 409, 'booking_unavailable', 'slot_taken');
  expectRefusal(await create(body('11:00'), { key: KEY }), 409, 'idempotency_key_reused');
  expect((await create(body('11:00'))).status).toBe(201);
});
