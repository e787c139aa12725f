import { expect, test } from 'vitest';
import { generateKey } from '@/lib/access/applications/key-format';
import { revokeKey } from '@/lib/access/applications/keys';
import { countRows, NOTHING } from '@/tests/support/booking-rows';
import { BOOKINGS, makeDesk, partnerOf } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { sharedServer } from '@/tests/support/shared';

test('returns 401 missing without a key, whatever the body', async () => {
  const client = createClient({ origin: sharedServer().origin });
  const reply = await client(BOOKINGS, { method: 'POST', body: '{' });
  expect([reply.status, reply.error.reason, reply.headers['www-authenticate']]).toEqual([401, 'missing', 'Bearer']);
});

test('returns 401 for an unknown and for a revoked key, and writes nothing', async () => {
  const { tenant, applicationId, keyId, key, body } = await makeDesk();
  const by = { tenantId: tenant.id, applicationId, actor: { kind: 'system' } as const };
  await revokeKey(new Date(), { ...by, keyId });
  for (const bad of [generateKey(), key]) {
    const { status, error } = await partnerOf(bad).create(body());
    expect([status, error.code, error.reason]).toEqual([401, 'invalid_api_key', null]);
  }
  expect(await countRows(tenant.id)).toEqual(NOTHING);
});
