import { randomPassword } from '@/lib/access/owners/password-hash';
import type { Db } from '@/lib/platform/db';
import type { PrismaClient } from '@/lib/platform/generated/prisma/client';
import { skeletonOf } from '@/lib/platform/text/skeleton';
import { APPLICATIONS } from './applications';
import { PEOPLE, TENANT } from './business';
import { seedCatalog } from './catalog';
import {
  assertTest,
  insertSandboxKeys,
  type KeepCredentials,
  lockSandbox,
  type SandboxCredentials,
} from './credentials';

/** Milliseconds, long enough to wait for another process that is seeding the database. */
const TIMEOUT = { maxWait: 10_000, timeout: 60_000 };

type Secret = Awaited<ReturnType<typeof randomPassword>>;

async function insertPeople(tx: Db, now: Date, owner: Secret, support: Secret): Promise<void> {
  const people = [
    { ...PEOPLE.owner, passwordHash: owner.passwordHash },
    { ...PEOPLE.support, passwordHash: support.passwordHash },
  ];
  const proof = { createdAt: now, addressProvenAt: now };
  await tx.user.createMany({ data: people.map(({ role: _, ...person }) => ({ ...person, ...proof })) });
  await tx.membership.createMany({
    data: people.map(({ id, role }) => ({ tenantId: TENANT.id, userId: id, role, createdAt: now })),
  });
}

async function insertApplications(tx: Db, now: Date): Promise<SandboxCredentials['applications']> {
  const tenantId = TENANT.id;
  await tx.application.createMany({
    data: APPLICATIONS.map(({ locationIds: _, ...application }) => ({ ...application, tenantId, createdAt: now })),
  });
  await tx.applicationLocation.createMany({
    data: APPLICATIONS.flatMap(({ id, locationIds }) =>
      locationIds.map((locationId) => ({ tenantId, applicationId: id, locationId })),
    ),
  });
  return insertSandboxKeys(tx, now, APPLICATIONS);
}

/**
 * Seeds an empty TEST database with the sandbox. Returns its passwords and keys, which cannot be shown again, or null
 * if a tenant exists. Of several processes, only one gets them. If `keep`, which runs before the commit, throws,
 * nothing is created.
 * @throws SettingsError in a LIVE environment.
 */
export async function seedSandbox(
  db: PrismaClient,
  now: Date,
  keep: KeepCredentials = () => {},
): Promise<SandboxCredentials | null> {
  assertTest();
  // Most starts return here, before the expensive hashing of passwords.
  if ((await db.tenant.count()) > 0) return null;
  const owner = await randomPassword(db, PEOPLE.owner.email);
  const support = await randomPassword(db, PEOPLE.support.email);
  return db.$transaction(async (tx) => {
    await lockSandbox(tx);
    if ((await tx.tenant.count()) > 0) return null;
    await tx.tenant.create({
      data: { ...TENANT, nameSkeleton: skeletonOf(TENANT.name), locales: [...TENANT.locales], createdAt: now },
    });
    await insertPeople(tx, now, owner, support);
    await seedCatalog(tx, now);
    const applications = await insertApplications(tx, now);
    const credentials = {
      owner: { email: PEOPLE.owner.email, password: owner.password },
      support: { email: PEOPLE.support.email, password: support.password },
      applications,
    };
    keep(credentials);
    return credentials;
  }, TIMEOUT);
}
