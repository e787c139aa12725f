import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { OWN_SYSTEM_SCOPE, type PartnerScope, SCOPES } from '@/lib/contract/common';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { markChanged } from '@/lib/platform/cache';
import { type Db, db } from '@/lib/platform/db';
import type { Application, Prisma } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { sharedTenantLock, takeLock } from '@/lib/platform/locks';
import { nameProblem, trimName } from '@/lib/platform/text/name';
import { releaseHeld } from '@/lib/webhooks/held';
import { requireRoom } from '../tenants/limits';
import { parseNetwork } from './networks';
import { isOrigin } from './origins';

/** Contract A, Credential. */
export type PolicyInput = {
  name: string;
  scopes: readonly PartnerScope[];
  allLocations: boolean;
  locationIds: readonly string[];
  origins: readonly string[];
  networks: readonly string[];
  quota: number;
  /** Whether agents must ask a person before each write (contract B16). */
  agentsAsk: boolean;
};

export type ApplicationRecord = Application & { locationIds: string[] };

/** Of origins, and of networks: the server compares the address of every request with each network. */
export const MAX_ENTRIES = 100;

type Initiator = { tenantId: string; actor: Actor };

/** Creates an application. @throws AppError invalid_request with the field; limit_reached by the operator's limit. */
export async function createApplication(
  now: Date,
  { tenantId, actor }: Initiator,
  input: PolicyInput,
): Promise<ApplicationRecord> {
  checkPolicy(input);
  return db().$transaction(async (tx) => {
    await requireRoom(tx, tenantId, 'applications', 1);
    await checkLocations(tx, tenantId, input.locationIds);
    const id = newId('app');
    const application = await tx.application.create({ data: { id, tenantId, createdAt: now, ...columns(input) } });
    await setLocations(tx, tenantId, id, input.locationIds);
    const object = { kind: 'application', id };
    await recordChange(tx, now, { tenantId, actor, action: 'application.created', object, after: auditable(input) });
    return { ...application, locationIds: [...input.locationIds] };
  });
}

/** Replaces an application's policy. @throws AppError not_found; invalid_request with the field; version_conflict. */
export async function updatePolicy(
  now: Date,
  { tenantId, actor, applicationId, expectedVersion }: Initiator & { applicationId: string; expectedVersion: number },
  input: PolicyInput,
): Promise<ApplicationRecord> {
  checkPolicy(input);
  return db().$transaction(async (tx) => {
    const before = await lockApplication(tx, tenantId, applicationId);
    if (before.version !== expectedVersion) throw new AppError('version_conflict');
    await checkLocations(tx, tenantId, input.locationIds);
    const data = { ...columns(input, before.ownSystem), version: { increment: 1 } };
    const application = await tx.application.update({ where: { id: applicationId }, data });
    await setLocations(tx, tenantId, applicationId, input.locationIds);
    await recordChange(tx, now, {
      tenantId,
      actor,
      action: 'application.policy_changed',
      object: { kind: 'application', id: applicationId },
      before: auditable({ ...before, scopes: SCOPES.filter((scope) => before.scopes.includes(scope)) }),
      after: auditable(input),
    });
    const hasWebhooks = (scopes: readonly string[]) => scopes.includes('webhooks.manage');
    if (hasWebhooks(input.scopes) && !hasWebhooks(before.scopes)) await releaseHeld(tx, now, applicationId);
    await markChanged(tx, 'policy', applicationId);
    return { ...application, locationIds: [...input.locationIds] };
  });
}

/** Suspends or resumes an application, in every instance within one second. @throws AppError not_found. */
export async function setSuspended(
  now: Date,
  { tenantId, actor, applicationId, suspended }: Initiator & { applicationId: string; suspended: boolean },
): Promise<void> {
  await db().$transaction(async (tx) => {
    const before = await lockApplication(tx, tenantId, applicationId);
    if ((before.suspendedAt !== null) === suspended) return;
    await tx.application.update({
      where: { id: applicationId },
      data: { suspendedAt: suspended ? now : null, version: { increment: 1 } },
    });
    if (!suspended) await releaseHeld(tx, now, applicationId);
    const object = { kind: 'application', id: applicationId };
    const action = suspended ? 'application.suspended' : 'application.resumed';
    await recordChange(tx, now, {
      tenantId,
      actor,
      action,
      object,
      before: { suspended: !suspended },
      after: { suspended },
    });
    await markChanged(tx, 'policy', applicationId);
  });
}

/**
 * States whether an application is a machine of the business, such as a till, which alone may push busy times. The busy
 * times of an application that is none anymore are removed.
 * @throws AppError not_found.
 */
export async function setOwnSystem(
  now: Date,
  { tenantId, actor, applicationId, ownSystem }: Initiator & { applicationId: string; ownSystem: boolean },
): Promise<void> {
  await db().$transaction(async (tx) => {
    const before = await lockApplication(tx, tenantId, applicationId);
    if (before.ownSystem === ownSystem) return;
    const others = before.scopes.filter((scope) => scope !== OWN_SYSTEM_SCOPE);
    const scopes = ownSystem ? [...others, OWN_SYSTEM_SCOPE] : others;
    await tx.application.update({
      where: { id: applicationId },
      data: { ownSystem, scopes, version: { increment: 1 } },
    });
    if (!ownSystem) await tx.block.deleteMany({ where: { tenantId, applicationId } });
    await recordChange(tx, now, {
      ...{
        tenantId,
        actor,
        action: 'application.own_system_changed',
        object: { kind: 'application', id: applicationId },
      },
      ...{ before: { own_system: !ownSystem }, after: { own_system: ownSystem } },
    });
    await markChanged(tx, 'policy', applicationId);
  });
}

async function lockApplication(tx: Db, tenantId: string, id: string): Promise<ApplicationRecord> {
  // A sandbox reset also changes policies, and takes this lock exclusively.
  await takeLock(tx, sharedTenantLock(tenantId));
  await tx.$queryRaw`SELECT 1 FROM applications WHERE id = ${id} AND tenant_id = ${tenantId} FOR UPDATE`;
  const application = await tx.application.findFirst({
    where: { id, tenantId },
    include: { locations: { select: { locationId: true } } },
  });
  if (!application) throw notFound();
  const { locations, ...rest } = application;
  return { ...rest, locationIds: locations.map((entry) => entry.locationId) };
}

function columns(input: PolicyInput, ownSystem = false) {
  const { name, allLocations, quota, agentsAsk } = input;
  const scopes = [...input.scopes, ...(ownSystem ? [OWN_SYSTEM_SCOPE] : [])];
  const lists = { scopes, origins: [...input.origins], networks: [...input.networks] };
  return { name: trimName(name), allLocations, quota, agentsAsk, ...lists };
}

function auditable(input: PolicyInput): Prisma.InputJsonObject {
  return {
    name: trimName(input.name),
    scopes: [...input.scopes],
    all_locations: input.allLocations,
    location_ids: [...input.locationIds].sort(),
    origins: [...input.origins],
    networks: [...input.networks],
    quota: input.quota,
    agents_ask: input.agentsAsk,
  };
}

/** Validates a policy without reading the database. @throws AppError invalid_request with the field. */
export function checkPolicy(input: PolicyInput): void {
  const problem = nameProblem(trimName(input.name), 200);
  if (problem !== null) throw invalidField('name', problem);
  if (!Number.isInteger(input.quota) || input.quota < 1 || input.quota > 1_000_000) {
    throw invalidField('quota', 'must be a whole number from 1 to 1,000,000');
  }
  if (!input.networks.every((network) => parseNetwork(network) !== null)) {
    throw invalidField('networks', 'must contain only IPv4 or IPv6 addresses or CIDR ranges');
  }
  if (input.networks.length > MAX_ENTRIES) throw invalidField('networks', 'must contain at most 100 entries');
  if (!input.origins.every(isOrigin))
    throw invalidField('origins', 'must contain only origins such as https://partner.example');
  if (input.origins.length > MAX_ENTRIES) throw invalidField('origins', 'must contain at most 100 entries');
}

async function checkLocations(tx: Db, tenantId: string, ids: readonly string[]): Promise<void> {
  const found = await tx.location.count({ where: { tenantId, id: { in: [...ids] } } });
  if (found !== new Set(ids).size) throw invalidField('location_ids', 'must contain only locations of this business');
}

async function setLocations(tx: Db, tenantId: string, applicationId: string, ids: readonly string[]): Promise<void> {
  await tx.applicationLocation.deleteMany({ where: { applicationId } });
  const data = [...new Set(ids)].map((locationId) => ({ tenantId, applicationId, locationId }));
  await tx.applicationLocation.createMany({ data });
}
