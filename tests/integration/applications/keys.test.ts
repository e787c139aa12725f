import { expect, test } from 'vitest';
import { issueKey, revokeKey } from '@/lib/access/applications/keys';
import { AppError } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { createClient } from '@/tests/support/client';
import { makeBusiness, makeTenant } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';

const { origin } = sharedServer();
const SYSTEM = { kind: 'system' } as const;

async function statusOf(key: string): Promise<number> {
  return (await createClient({ origin, key })(CATALOG)).status;
}

test('an issued key is valid immediately, and only its hash, prefix, and last four characters are stored', async () => {
  const { tenant, applicationId } = await makeBusiness();
  const { key, record } = await issueKey(new Date(), {
    tenantId: tenant.id,
    applicationId,
    name: 'New',
    expiresAt: null,
    actor: SYSTEM,
  });
  expect(await statusOf(key)).toBe(200);
  expect(record).toMatchObject({
    name: 'New',
    prefix: 'pbk_test_',
    lastFour: key.slice(-4),
    expiresAt: null,
    revokedAt: null,
  });
  expect(Object.keys(record)).not.toContain('keyHash');
  const row = await db().apiKey.findUniqueOrThrow({ where: { id: record.id } });
  const kept = JSON.stringify(row) + Buffer.from(row.keyHash).toString('latin1');
  expect(kept).not.toContain(key.slice(9, 41));
  expect(row.keyHash).toHaveLength(32);
});

test('the issuer of a key is stored', async () => {
  const { tenant, applicationId } = await makeBusiness();
  const owner = { kind: 'owner', id: newId('usr'), tenantId: tenant.id } as const;
  const { record } = await issueKey(new Date(), {
    tenantId: tenant.id,
    applicationId,
    name: 'New',
    expiresAt: null,
    actor: owner,
  });
  expect(record.createdById).toBe(owner.id);
});

test('the expiry is checked on every request', async () => {
  const { tenant, applicationId } = await makeBusiness();
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 1500);
  const { key } = await issueKey(now, { tenantId: tenant.id, applicationId, name: 'Short', expiresAt, actor: SYSTEM });
  const first = await statusOf(key);
  expect(first === 200 || Date.now() >= expiresAt.getTime()).toBe(true);
  await until(
    async () => {
      const startedAt = Date.now();
      const status = await statusOf(key);
      if (startedAt >= expiresAt.getTime()) expect(status).toBe(401);
      if (Date.now() < expiresAt.getTime()) expect(status).toBe(200);
      return status;
    },
    (status) => status === 401,
  );
});

test('a key cannot be issued with an expiry in the past', async () => {
  const { tenant, applicationId } = await makeBusiness();
  const now = new Date();
  for (const expiresAt of [now, new Date(now.getTime() - 1)]) {
    const issued = issueKey(now, { tenantId: tenant.id, applicationId, name: 'Late', expiresAt, actor: SYSTEM });
    await expect(issued).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path: 'expires_at' }] });
  }
});

test('a revoked key is refused within a second, and other keys stay valid', async () => {
  const { tenant, applicationId, key, keyId } = await makeBusiness();
  const sister = await issueKey(new Date(), {
    tenantId: tenant.id,
    applicationId,
    name: 'Sister',
    expiresAt: null,
    actor: SYSTEM,
  });
  expect(await statusOf(key)).toBe(200);
  await revokeKey(new Date(), { tenantId: tenant.id, keyId, actor: SYSTEM });
  const revoked = performance.now();
  await until(
    async () => {
      const startedAt = performance.now();
      const status = await statusOf(key);
      if (startedAt - revoked >= 1000) expect(status).toBe(401);
      return status;
    },
    (status) => status === 401,
  );
  expect(await statusOf(sister.key)).toBe(200);
});

test('revoking a key again has no effect', async () => {
  const { tenant, keyId } = await makeBusiness();
  const first = new Date(Date.now() - 5000);
  await revokeKey(first, { tenantId: tenant.id, keyId, actor: SYSTEM });
  await revokeKey(new Date(), { tenantId: tenant.id, keyId, actor: SYSTEM });
  const row = await db().apiKey.findUniqueOrThrow({ where: { id: keyId } });
  expect(row.revokedAt).toEqual(first);
  expect(await db().auditLog.count({ where: { objectId: keyId, action: 'key.revoked' } })).toBe(1);
});

test('keys and applications of another tenant are not found and do not change', async () => {
  const { applicationId, keyId, key } = await makeBusiness();
  const stranger = await makeTenant();
  const by = { tenantId: stranger.id, actor: SYSTEM };
  const attempts = [
    revokeKey(new Date(), { ...by, keyId }),
    revokeKey(new Date(), { ...by, keyId: newId('key') }),
    revokeKey(new Date(), { ...by, keyId: 'nonsense' }),
    issueKey(new Date(), { ...by, applicationId, name: 'Mine now', expiresAt: null }),
  ];
  for (const attempt of await Promise.allSettled(attempts)) {
    expect(attempt.status === 'rejected' && attempt.reason).toBeInstanceOf(AppError);
    expect(attempt).toMatchObject({ reason: { code: 'not_found' } });
  }
  expect(await statusOf(key)).toBe(200);
  expect(await db().auditLog.count({ where: { tenantId: stranger.id } })).toBe(0);
});
