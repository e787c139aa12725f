import { expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { makeDesk } from '@/tests/support/bookings';
import { marker } from '@/tests/support/echo';
import { tablesHolding } from '@/tests/support/leaks';

test('the database does not contain the raw key, whatever the result of the request', async () => {
  const { create, body, cancel } = await makeDesk();
  const keys = [1, 2, 3, 4].map(() => `${marker()}-${marker()}`);
  const [made = '', refused = '', bad = '', gone = ''] = keys;
  const { data } = await create(body(), { key: made });
  await create(body(), { key: made });
  expect((await create(body(), { key: refused })).status).toBe(409);
  expect((await create({}, { key: bad })).status).toBe(400);
  expect((await cancel(data.booking.reference, undefined, { key: `"${gone}"` })).status).toBe(200);
  expect(await tablesHolding(...keys.map((key) => key.slice(0, 16)))).toEqual([]);
});

test('the stored response is encrypted: it shows neither the reference nor the customer', async () => {
  const { create, body, applicationId } = await makeDesk();
  const name = `${marker()} Sample`;
  const customer = { name, phone: '+4917198765432', consent_to_contact: true };
  const { data } = await create(body('10:00', { customer }));
  const { rows } = await pool().query<{ response: Buffer }>(
    'SELECT response FROM idempotency_keys WHERE application_id = $1',
    [applicationId],
  );
  const bytes = rows[0]?.response.toString('latin1') ?? '';
  expect(bytes.length).toBeGreaterThan(JSON.stringify(data).length);
  for (const text of [data.booking.reference, 'booking', name.slice(0, 10), '"status"', '+49']) {
    expect(bytes).not.toContain(text);
  }
});

test('hash and fingerprint are keyed: they differ for equal keys and bodies of two applications', async () => {
  const key = `${marker()}-${marker()}`;
  const desks = [await makeDesk(), await makeDesk()];
  for (const { create } of desks) expect((await create('{}', { key })).status).toBe(400);
  const hashes = [];
  for (const { create, body, applicationId } of desks) {
    await create(body(), { key });
    const { rows } = await pool().query<{ key_hash: Buffer; fingerprint: Buffer }>(
      'SELECT key_hash, fingerprint FROM idempotency_keys WHERE application_id = $1',
      [applicationId],
    );
    hashes.push(rows[0]?.key_hash.toString('hex'), rows[0]?.fingerprint.toString('hex'));
  }
  expect(new Set(hashes).size).toBe(4);
});

test('a stored response copied to another key cannot be decrypted: the request fails and shows nothing', async () => {
  const { create, body, applicationId } = await makeDesk({ service: { capacity: 2 } });
  const [one, two] = [`${marker()}-one`, `${marker()}-two`];
  await create(body(), { key: one });
  await create(body(), { key: two });
  await pool().query(
    `UPDATE idempotency_keys k SET response = (SELECT response FROM idempotency_keys o
       WHERE o.application_id = k.application_id AND o.key_hash <> k.key_hash)
     WHERE application_id = $1`,
    [applicationId],
  );
  const reply = await create(body(), { key: one });
  expect([reply.status, reply.error.code]).toEqual([503, 'service_unavailable']);
  expect(reply.text).not.toContain('pbr_');
});
