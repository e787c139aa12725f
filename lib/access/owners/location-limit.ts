import { invalidField } from '@/lib/contract/errors/app-error';
import type { Db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';

/** Each statement of the member names them all. A check constraint of invitations has the same limit. */
export const MAX_REACHED = 100;

type Limit = { role: Role; locations: readonly string[] | null };

/**
 * Checks a limit to locations. Null means all.
 * @throws AppError invalid_request for another role than the front desk, without a location, or with an unknown one.
 */
export async function checkLimit(tx: Db, tenantId: string, { role, locations }: Limit): Promise<void> {
  if (locations === null) return;
  if (role !== 'FRONT_DESK') throw invalidField('location_ids', 'must be empty for this role');
  const ids = [...new Set(locations)];
  if (ids.length > MAX_REACHED) throw invalidField('location_ids', `must have at most ${MAX_REACHED} locations`);
  const known = await tx.location.count({ where: { tenantId, id: { in: ids } } });
  if (known < ids.length) throw invalidField('location_ids', 'must be locations of the business');
}

/** Returns the locations to which a member is limited, sorted. */
export async function limitOf(tx: Db, tenantId: string, userId: string): Promise<string[]> {
  const rows = await tx.memberLocation.findMany({ where: { tenantId, userId }, orderBy: { locationId: 'asc' } });
  return rows.map(({ locationId }) => locationId);
}

/** Returns whether two limits are the same. */
export function isSameLimit(one: Limit['locations'], other: Limit['locations']): boolean {
  const text = (locations: Limit['locations']) => locations && [...new Set(locations)].sort().join();
  return text(one) === text(other);
}

type Person = { tenantId: string; userId: string };

/** Replaces the limit of a member, in the transaction that has locked the team. */
export async function setLimit(tx: Db, person: Person, locations: Limit['locations']): Promise<void> {
  await tx.memberLocation.deleteMany({ where: person });
  const data = [...new Set(locations ?? [])].map((locationId) => ({ ...person, locationId }));
  if (data.length > 0) await tx.memberLocation.createMany({ data });
  await tx.membership.update({ where: { tenantId_userId: person }, data: { allLocations: locations === null } });
}
