import { createAccount, lockAddress } from '@/lib/access/owners/accounts';
import { proveAddress, replaceUnproven } from '@/lib/access/owners/address-proof';
import { randomPassword } from '@/lib/access/owners/password-hash';
import { lockTeam } from '@/lib/access/owners/team';
import { recordChange } from '@/lib/activity/audit/record';
import { markChanged } from '@/lib/platform/cache';
import type { Db } from '@/lib/platform/db';
import type { PrismaClient } from '@/lib/platform/generated/prisma/client';
import { APPLICATIONS } from './applications';
import { PEOPLE, TENANT } from './business';
import {
  assertTest,
  insertSandboxKeys,
  KEY_NAME,
  type KeepCredentials,
  lockSandbox,
  type SandboxCredentials,
} from './credentials';

type Person = (typeof PEOPLE)[keyof typeof PEOPLE];
type Secret = Awaited<ReturnType<typeof randomPassword>>;

/** `credentials.json` always contains these passwords, so a removed user or membership is created again. */
async function resetSignIn(tx: Db, now: Date, person: Person, secret: Secret): Promise<SandboxCredentials['owner']> {
  const { name, email, role } = person;
  const { password, passwordHash } = secret;
  const tenantId = TENANT.id;
  await lockAddress(tx, email, now);
  const id =
    (await proveAddress(tx, now, { email, name, password: { passwordHash, passwordExpiresAt: null } })) ??
    (await createAccount(tx, now, { email, name, passwordHash, tenantId: null }));
  await lockTeam(tx, tenantId);
  await replaceUnproven(tx, now, { tenantId, actor: { kind: 'system' }, userId: id, email });
  await tx.membership.upsert({
    where: { tenantId_userId: { tenantId, userId: id } },
    create: { tenantId, userId: id, role, createdAt: now },
    update: {},
  });
  await recordChange(tx, now, {
    tenantId,
    actor: { kind: 'system' },
    action: 'user.password_reset',
    object: { kind: 'user', id },
  });
  return { email, password };
}

async function revokeSandboxKeys(tx: Db, now: Date, applicationId: string): Promise<void> {
  const keys = await tx.apiKey.updateManyAndReturn({
    where: { applicationId, name: KEY_NAME, revokedAt: null },
    data: { revokedAt: now },
    select: { id: true, lastFour: true },
  });
  for (const { id, lastFour } of keys) {
    await recordChange(tx, now, {
      tenantId: TENANT.id,
      actor: { kind: 'system' },
      action: 'key.revoked',
      object: { kind: 'key', id },
      before: { last_four: lastFour, revoked_at: null },
      after: { revoked_at: now.toISOString() },
    });
  }
}

async function replaceKeys(tx: Db, now: Date): Promise<SandboxCredentials['applications']> {
  const found = await tx.application.findMany({
    where: { id: { in: APPLICATIONS.map(({ id }) => id) } },
    include: { locations: { orderBy: { locationId: 'asc' } } },
    orderBy: { id: 'asc' },
  });
  for (const { id } of found) await revokeSandboxKeys(tx, now, id);
  const applications = found.map(({ locations, ...application }) => ({
    ...application,
    locationIds: locations.map(({ locationId }) => locationId),
  }));
  const credentials = await insertSandboxKeys(tx, now, applications);
  for (const { id } of found) await markChanged(tx, 'policy', id);
  return credentials;
}

/**
 * Replaces the passwords of the owner and the support user, and a key for each of `APPLICATIONS`. Old keys with the
 * name `KEY_NAME` are revoked on every instance within one second. If `keep`, which runs before the commit, throws,
 * nothing is replaced.
 * @throws SettingsError in a LIVE environment.
 * @throws Error if the database has no sandbox.
 */
export async function reissueCredentials(db: PrismaClient, now: Date, keep: KeepCredentials): Promise<void> {
  assertTest();
  const ownerSecret = await randomPassword(db, PEOPLE.owner.email);
  const supportSecret = await randomPassword(db, PEOPLE.support.email);
  await db.$transaction(
    async (tx) => {
      await lockSandbox(tx);
      if ((await tx.tenant.count({ where: { id: TENANT.id } })) === 0)
        throw new Error('This database has no sandbox: there are no credentials to reissue.');
      const owner = await resetSignIn(tx, now, PEOPLE.owner, ownerSecret);
      const support = await resetSignIn(tx, now, PEOPLE.support, supportSecret);
      const applications = await replaceKeys(tx, now);
      keep({ owner, support, applications });
    },
    { maxWait: 10_000, timeout: 60_000 },
  );
}
