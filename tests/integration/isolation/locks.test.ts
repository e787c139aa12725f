import { expect, test } from 'vitest';
import { setSuspended } from '@/lib/access/applications/applications';
import { revokeKey } from '@/lib/access/applications/keys';
import { pool } from '@/lib/platform/db';
import { pauseEndpoint } from '@/lib/webhooks/endpoint';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { addEndpoint } from '@/tests/support/webhooks';

test('a call with the id of another tenant does not wait for that tenant', async () => {
  const [tenant, other] = [await makeTenant(), await makeTenant()];
  const { applicationId, keyId } = await makeApplication(other.id);
  await addEndpoint(other.id, applicationId, 'http://127.0.0.1:3999/hooks');
  const by = { tenantId: tenant.id, actor: { kind: 'system' as const } };
  const holder = await pool().connect();
  try {
    await holder.query('BEGIN');
    for (const [table, column, id] of [
      ['applications', 'id', applicationId],
      ['api_keys', 'id', keyId],
      ['webhook_endpoints', 'application_id', applicationId],
    ])
      await holder.query(`SELECT FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [id]);
    const calls = [
      () => setSuspended(new Date(), { ...by, applicationId, suspended: true }),
      () => revokeKey(new Date(), { ...by, keyId }),
      () => pauseEndpoint(new Date(), { ...by, applicationId }),
    ];
    // The rows stay locked. A call that waited for them would fail with a different error.
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'not_found' });
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
});
