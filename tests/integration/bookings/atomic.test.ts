import { expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { withSuperuser } from '@/tests/support/database';

/** Returns, for each kind of row that a request wrote, the id of the transaction that wrote the row. */
async function writers(reference: string, requestId: string): Promise<Record<string, string>> {
  const { rows } = await pool().query<{ name: string; xmin: string }>(
    `SELECT 'booking' AS name, xmin::text FROM bookings WHERE reference = $1
     UNION ALL SELECT 'claim', c.xmin::text FROM slot_claims c JOIN bookings b ON b.claim_id = c.id WHERE b.reference = $1
     UNION ALL SELECT 'event', xmin::text FROM events WHERE request_id = $2
     UNION ALL SELECT 'line', xmin::text FROM request_log WHERE request_id = $2
     UNION ALL SELECT 'key', xmin::text FROM idempotency_keys WHERE request_id = $2`,
    [reference, requestId],
  );
  return Object.fromEntries(rows.map(({ name, xmin }) => [name, xmin]));
}

test('booking, claim, event, log entry and stored response of a write commit in one transaction', async () => {
  const { create, reschedule, cancel, body } = await makeDesk();
  const made = await create(body());
  const { reference } = made.data.booking;
  const first = await writers(reference, made.requestId);
  const moved = await reschedule(reference, { expected_version: 1, date: dayAhead(), start_time: '12:00' });
  const second = await writers(reference, moved.requestId);
  for (const tables of [first, second]) {
    expect(Object.keys(tables).sort()).toEqual(['booking', 'claim', 'event', 'key', 'line']);
    expect(new Set(Object.values(tables)).size).toBe(1);
  }
  const canceled = await cancel(reference, { expected_version: 2 });
  const third = await writers(reference, canceled.requestId);
  expect(Object.keys(third).sort()).toEqual(['booking', 'event', 'key', 'line']);
  expect(new Set(Object.values(third)).size).toBe(1);
});

test('if the event cannot be written, no booking is created, and a retry of the request creates it', async () => {
  const { create, body, tenant, applicationId } = await makeDesk();
  const key = 'a-key-of-this-test';
  const name = `no_event_${applicationId}`;
  // The constraint rejects only this tenant's events so that other tests can still write events for their tenants.
  const add = `ALTER TABLE events ADD CONSTRAINT "${name}" CHECK (tenant_id <> '${tenant.id}') NOT VALID`;
  await withSuperuser((client) => client.query(add));
  const refused = await create(body(), { key });
  await withSuperuser((client) => client.query(`ALTER TABLE events DROP CONSTRAINT "${name}"`));
  expect([refused.status, refused.error.code]).toEqual([503, 'service_unavailable']);
  const { rows } = await pool().query(
    `SELECT (SELECT count(*)::int FROM bookings WHERE tenant_id = $1) AS bookings,
      (SELECT count(*)::int FROM slot_claims WHERE tenant_id = $1) AS claims,
      (SELECT count(*)::int FROM idempotency_keys WHERE application_id = $2) AS keys`,
    [tenant.id, applicationId],
  );
  expect(rows).toEqual([{ bookings: 0, claims: 0, keys: 0 }]);
  const made = await create(body(), { key });
  expect([made.status, made.headers['idempotent-replayed']]).toEqual([201, undefined]);
});
