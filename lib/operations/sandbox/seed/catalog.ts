import { markChanged } from '@/lib/platform/cache/changes';
import type { Db } from '@/lib/platform/db';
import { TENANT } from './business';
import { catalogRows } from './rows';

/**
 * Inserts the synthetic catalog of the sandbox in the caller's transaction. The tenant must exist and have no catalog.
 * Each table is filled by one statement, so that a reset is fast. The function inserts no rows into
 * `application_locations`. The database deletes these rows when their locations are deleted, so a caller that deletes
 * locations must insert the rows again.
 */
export async function seedCatalog(tx: Db, now: Date): Promise<void> {
  const rows = catalogRows(now);
  await tx.location.createMany({ data: rows.locations });
  await tx.locationHours.createMany({ data: rows.locationHours });
  await tx.locationException.createMany({ data: rows.locationExceptions });
  await tx.service.createMany({ data: rows.services });
  await tx.specialist.createMany({ data: rows.specialists });
  await tx.specialistHours.createMany({ data: rows.specialistHours });
  await tx.specialistBreak.createMany({ data: rows.specialistBreaks });
  await tx.specialistException.createMany({ data: rows.specialistExceptions });
  await tx.specialistTimeOff.createMany({ data: rows.specialistTimeOff });
  await tx.offering.createMany({ data: rows.offerings });
  await markChanged(tx, 'catalog', TENANT.id);
}
