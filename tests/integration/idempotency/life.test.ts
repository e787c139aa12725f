import { expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { countRows, expectRefusal } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk } from '@/tests/support/bookings';

const KEY = 'order-4711-create';

/** Makes all of an application's idempotency keys older by `interval`. */
async function age(applicationId: string, interval: string): Promise<void> {
  await pool().query(
    `UPDATE idempotency_keys SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
     WHERE application_id = $1`,
    [applicationId, interval],
  );
}

test('a key is kept for seven days', async () => {
  const { create, body, applicationId } = await makeDesk();
  const { data } = await create(body(), { key: KEY });
  const { rows } = await pool().query('SELECT created_at, expires_at FROM idempotency_keys WHERE application_id = $1', [
    applicationId,
  ]);
  const made = new Date(data.booking.created_at);
  expect(rows).toEqual([{ created_at: made, expires_at: new Date(made.getTime() + 7 * 86_400_000) }]);
});

test('before that it replays, and is bound to its request', async () => {
  const { create, body, applicationId } = await makeDesk();
  const first = await create(body(), { key: KEY });
  await age(applicationId, '6 days 23 hours 55 minutes');
  expect((await create(body(), { key: KEY })).data).toEqual(first.data);
  expectRefusal(await create(body('12:00'), { key: KEY }), 409, 'idempotency_key_reused');
});

test('an expired key can be used for another request, which is then replayed for seven days', async () => {
  const { create, body, applicationId, tenant } = await makeDesk();
  const first = await create(body(), { key: KEY });
  await age(applicationId, '7 days');
  const second = await create(body('12:00'), { key: KEY });
  expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, undefined]);
  expect(second.data.booking.reference).not.toBe(first.data.booking.reference);
  await age(applicationId, '6 days 23 hours');
  expect((await create(body('12:00'), { key: KEY })).data).toEqual(second.data);
  expectRefusal(await create(body('10:00'), { key: KEY }), 409, 'idempotency_key_reused');
  expect(await countRows(tenant.id)).toMatchObject({ bookings: 2, keys: 1 });
});

test('the same request with an expired key is a new one, and finds its slot taken by the first booking', async () => {
  const { create, body, applicationId } = await makeDesk();
  await create(body(), { key: KEY });
  await age(applicationId, '7 days');
  expectRefusal(await create(body(), { key: KEY }), 409, 'booking_unavailable', 'slot_taken');
});

test('the key of a refused request expires too', async () => {
  const { create, body, applicationId, book } = await makeDesk();
  await book();
  expectRefusal(await create(body(), { key: KEY }), 409, 'booking_unavailable', 'slot_taken');
  await age(applicationId, '7 days');
  expect((await create(body('12:00'), { key: KEY })).status).toBe(201);
});

test('an expired response is not replayed for a request that cannot be resolved', async () => {
  const { create, body, applicationId, service } = await makeDesk();
  const gone = body('10:00', { service_id: service.id, date: dayAhead() });
  await create(gone, { key: KEY });
  await age(applicationId, '7 days');
  const unknown = { ...gone, location_id: 'loc_unknown' };
  expectRefusal(await create(unknown, { key: KEY }), 404, 'not_found');
});
