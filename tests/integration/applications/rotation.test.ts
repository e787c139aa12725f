import { expect, test } from 'vitest';
import { issueKey, OVERLAPS, type Overlap, revokeKey, rotateKey } from '@/lib/access/applications/keys';
import { db } from '@/lib/platform/db';
import { createClient } from '@/tests/support/client';
import { makeBusiness, makeTenant } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';

const { origin } = sharedServer();
const SYSTEM = { kind: 'system' } as const;
const HOUR = 3_600_000;

async function statusOf(key: string): Promise<number> {
  return (await createClient({ origin, key })(CATALOG)).status;
}

async function refusedSoon(key: string): Promise<void> {
  await until(
    () => statusOf(key),
    (status) => status === 401,
  );
}

/**
 * Creates a key at the time `made`. The key expires `lifetime` milliseconds later, or never if `lifetime` is null.
 * Returns the key, its record, and a function that rotates it.
 */
async function makeKey(lifetime: number | null = null, made = new Date()) {
  const { tenant, applicationId } = await makeBusiness();
  const expiresAt = lifetime === null ? null : new Date(made.getTime() + lifetime);
  const issue = { tenantId: tenant.id, applicationId, name: 'Till 7', expiresAt, actor: SYSTEM };
  const { key, record } = await issueKey(made, issue);
  const rotate = (overlap: Overlap, now = new Date(), keyId = record.id) =>
    rotateKey(now, { tenantId: tenant.id, keyId, overlap, actor: SYSTEM });
  return { tenant, applicationId, key, record, rotate };
}

async function rowOf(id: string) {
  return db().apiKey.findUniqueOrThrow({ where: { id } });
}

test.for(['1h', '24h', '7d'] as const)('both keys are valid during an overlap of %s', async (overlap) => {
  const { key, record, rotate } = await makeKey();
  expect(await statusOf(key)).toBe(200);
  const now = new Date();
  const next = await rotate(overlap, now);
  expect(await statusOf(next.key)).toBe(200);
  expect(await statusOf(key)).toBe(200);
  const old = await rowOf(record.id);
  expect(old.rotatedToId).toBe(next.record.id);
  expect(old.overlapEndsAt?.getTime()).toBe(now.getTime() + OVERLAPS[overlap]);
});

test('without an overlap, the old key is refused within a second and the new key is valid', async () => {
  const { key, rotate } = await makeKey();
  expect(await statusOf(key)).toBe(200);
  const next = await rotate('now');
  const rotated = performance.now();
  await until(
    async () => {
      const startedAt = performance.now();
      const status = await statusOf(key);
      if (startedAt - rotated >= 1000) expect(status).toBe(401);
      return status;
    },
    (status) => status === 401,
  );
  expect(await statusOf(next.key)).toBe(200);
});

test('the old key is refused after the overlap', async () => {
  const { key, rotate } = await makeKey(null, new Date(Date.now() - HOUR));
  const next = await rotate('1h', new Date(Date.now() - HOUR + 1500));
  await refusedSoon(key);
  expect(await statusOf(next.key)).toBe(200);
});

test('a key that also has an expiry is refused when its overlap ends', async () => {
  const { key, rotate } = await makeKey(30 * 24 * HOUR);
  expect(await statusOf(key)).toBe(200);
  await rotate('now');
  await refusedSoon(key);
});

test('an overlap does not extend the old key’s expiry', async () => {
  const made = new Date();
  const { record, rotate } = await makeKey(HOUR / 2, made);
  await rotate('7d', made);
  expect((await rowOf(record.id)).overlapEndsAt).toEqual(record.expiresAt);
});

test('the new key has the same name and lifetime', async () => {
  const made = new Date(Date.now() - HOUR);
  const { rotate } = await makeKey(10 * HOUR, made);
  const now = new Date();
  const next = await rotate('24h', now);
  expect(next.record.name).toBe('Till 7');
  expect(next.record.expiresAt?.getTime()).toBe(now.getTime() + 10 * HOUR);
  const forever = await makeKey(null);
  expect((await forever.rotate('now')).record.expiresAt).toBeNull();
});

test('a new key can be rotated again', async () => {
  const { key, rotate } = await makeKey();
  const second = await rotate('1h');
  const third = await rotate('1h', new Date(), second.record.id);
  expect(await Promise.all([key, second.key, third.key].map(statusOf))).toEqual([200, 200, 200]);
  expect(new Set([key, second.key, third.key]).size).toBe(3);
});

test('an expired, revoked, or already rotated key cannot be rotated', async () => {
  const expired = await makeKey(1000, new Date(Date.now() - HOUR));
  const revoked = await makeKey();
  await revokeKey(new Date(), { tenantId: revoked.tenant.id, keyId: revoked.record.id, actor: SYSTEM });
  const rotated = await makeKey();
  await rotated.rotate('7d');
  for (const { rotate, applicationId } of [expired, revoked, rotated]) {
    const before = await db().apiKey.count({ where: { applicationId } });
    await expect(rotate('1h')).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path: 'key_id' }] });
    expect(await db().apiKey.count({ where: { applicationId } })).toBe(before);
  }
});

test('a rotated key can be revoked during its overlap, and its successor stays valid', async () => {
  const { tenant, key, record, rotate } = await makeKey();
  const next = await rotate('7d');
  expect(await statusOf(key)).toBe(200);
  await revokeKey(new Date(), { tenantId: tenant.id, keyId: record.id, actor: SYSTEM });
  await refusedSoon(key);
  expect(await statusOf(next.key)).toBe(200);
});

test('of two concurrent rotations, exactly one succeeds and creates one key', async () => {
  for (let i = 0; i < 5; i += 1) {
    const { applicationId, record, rotate } = await makeKey();
    const results = await Promise.allSettled([rotate('1h'), rotate('24h'), rotate('now')]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'invalid_request' });
    }
    // The application has three keys: the key that `makeBusiness` created, the rotated key, and its only successor.
    expect(await db().apiKey.count({ where: { applicationId } })).toBe(3);
    expect(await db().auditLog.count({ where: { objectId: record.id, action: 'key.rotated' } })).toBe(1);
  }
});

test('a concurrent rotation and revocation never leave the old key valid', async () => {
  const { tenant, key, record, rotate } = await makeKey();
  const revoke = revokeKey(new Date(), { tenantId: tenant.id, keyId: record.id, actor: SYSTEM });
  await Promise.allSettled([rotate('7d'), revoke]);
  expect((await rowOf(record.id)).revokedAt).not.toBeNull();
  await refusedSoon(key);
});

test('a key of another tenant is not found', async () => {
  const { key, record } = await makeKey();
  const stranger = await makeTenant();
  const attempt = rotateKey(new Date(), { tenantId: stranger.id, keyId: record.id, overlap: 'now', actor: SYSTEM });
  await expect(attempt).rejects.toMatchObject({ code: 'not_found' });
  expect(await statusOf(key)).toBe(200);
});
