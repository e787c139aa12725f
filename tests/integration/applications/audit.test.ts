import { afterAll, beforeAll, expect, test } from 'vitest';
import { setSuspended, updatePolicy } from '@/lib/access/applications/applications';
import { hashKey } from '@/lib/access/applications/key-format';
import { issueKey, revokeKey, rotateKey } from '@/lib/access/applications/keys';
import { SCOPES } from '@/lib/contract/common';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';

const SYSTEM = { kind: 'system' } as const;
const POLICY = {
  name: 'Changed',
  scopes: SCOPES,
  allLocations: true,
  agentsAsk: true,
  locationIds: [],
  origins: [],
  networks: [],
  quota: 7,
};

let database: OwnDatabase;

beforeAll(async () => {
  database = await ownDatabase();
});

afterAll(() => database.drop());

async function makeAll() {
  const tenant = await makeTenant();
  const owner = { kind: 'owner', id: newId('usr'), tenantId: tenant.id } as const;
  const { applicationId } = await makeApplication(tenant.id);
  return { tenantId: tenant.id, owner, applicationId, by: { tenantId: tenant.id, actor: owner } };
}

test('every change writes one audit entry with actor, action, and object', async () => {
  const { tenantId, owner, applicationId, by } = await makeAll();
  const now = new Date();
  const first = await issueKey(now, { ...by, applicationId, name: 'First', expiresAt: null });
  const second = await rotateKey(now, { ...by, keyId: first.record.id, overlap: '1h' });
  await revokeKey(now, { ...by, keyId: second.record.id });
  await updatePolicy(now, { ...by, applicationId, expectedVersion: 1 }, POLICY);
  await setSuspended(now, { ...by, applicationId, suspended: true });
  const lines = await db().auditLog.findMany({ where: { tenantId, actorKind: 'owner' }, orderBy: { id: 'asc' } });
  expect(lines.map(({ action, objectId }) => [action, objectId])).toEqual([
    ['key.issued', first.record.id],
    ['key.rotated', first.record.id],
    ['key.revoked', second.record.id],
    ['application.policy_changed', applicationId],
    ['application.suspended', applicationId],
  ]);
  expect(new Set(lines.map(({ actorId }) => actorId))).toEqual(new Set([owner.id]));
  expect(lines.every(({ at }) => at.getTime() === now.getTime())).toBe(true);
  expect(lines[3]).toMatchObject({ before: { name: 'Partner', quota: 100_000 }, after: { name: 'Changed', quota: 7 } });
});

test('no audit entry contains a key or its hash', async () => {
  const { by, applicationId, tenantId } = await makeAll();
  const first = await issueKey(new Date(), { ...by, applicationId, name: 'First', expiresAt: null });
  const second = await rotateKey(new Date(), { ...by, keyId: first.record.id, overlap: 'now' });
  await revokeKey(new Date(), { ...by, keyId: second.record.id });
  const text = JSON.stringify(await db().auditLog.findMany({ where: { tenantId } }));
  expect(text).toContain(first.record.lastFour);
  for (const { key } of [first, second]) {
    expect(text).not.toContain(key.slice(9, 41));
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(text).not.toContain(hashKey(key).toString(encoding));
  }
});

test('a change is rolled back if its audit entry cannot be written', async () => {
  const { by, applicationId, tenantId } = await makeAll();
  const { record } = await issueKey(new Date(), { ...by, applicationId, name: 'First', expiresAt: null });
  const keys = () => db().apiKey.findMany({ where: { applicationId }, orderBy: { id: 'asc' } });
  const application = () => db().application.findUnique({ where: { id: applicationId } });
  const before = { keys: await keys(), application: await application() };
  await database.query(`ALTER TABLE audit_log ADD CONSTRAINT closed CHECK (tenant_id <> '${tenantId}') NOT VALID`);
  const now = new Date();
  const attempts = [
    () => issueKey(now, { ...by, applicationId, name: 'Second', expiresAt: null }),
    () => rotateKey(now, { ...by, keyId: record.id, overlap: '1h' }),
    () => revokeKey(now, { ...by, keyId: record.id }),
    () => updatePolicy(now, { ...by, applicationId, expectedVersion: 1 }, POLICY),
    () => setSuspended(now, { tenantId, actor: SYSTEM, applicationId, suspended: true }),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow();
  await database.query('ALTER TABLE audit_log DROP CONSTRAINT closed');
  expect({ keys: await keys(), application: await application() }).toEqual(before);
});
