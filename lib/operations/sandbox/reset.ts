import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { notFound } from '@/lib/contract/errors/app-error';
import { markChanged } from '@/lib/platform/cache/changes';
import { type Db, db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { SANDBOX_TENANT_ID } from '@/lib/platform/ids';
import { exclusiveTenantLock, takeLock } from '@/lib/platform/locks';
import { formatInstant, localDayBounds, localToInstant, storedZone } from '@/lib/platform/time-zones';

/** The local time of the nightly reset. Partners rarely test at this time. */
const NIGHT = '03:00';

/**
 * Timeouts, in milliseconds, of the transaction that resets the sandbox. It waits for running writes, each of which
 * holds the tenant's lock for at most eight seconds.
 */
const TIMEOUT = { maxWait: 10_000, timeout: 60_000 };

/** Throws in LIVE, which must never be reset (contract A, Environments). Does not rely on the checks of callers. */
function assertTest(): void {
  if (env().ENVIRONMENT !== 'TEST') throw notFound();
}

/**
 * Restores the synthetic catalog of the sandbox and deletes its bookings, claims, idempotency keys, events, and
 * deliveries, in one transaction. Keeps applications, keys, endpoints, users, and the request log. Writes wait until
 * the reset ends. Returns the time of the reset.
 * @throws AppError not_found in LIVE and for tenants other than the sandbox.
 */
export async function resetSandbox(now: Date, { tenantId, actor }: { tenantId: string; actor: Actor }): Promise<Date> {
  return reset(now, tenantId, actor, () => true);
}

/**
 * Runs the nightly reset if it is due. Returns whether it was due. If several processes call this function, only one
 * of them resets the sandbox.
 */
export async function resetIfDue(now: Date): Promise<boolean> {
  if (env().ENVIRONMENT !== 'TEST') return false;
  const tenant = await db().tenant.findFirst({ where: { id: SANDBOX_TENANT_ID } });
  if (!tenant || !isDue(now, tenant)) return false;
  await reset(now, tenant.id, { kind: 'system' }, (locked) => isDue(now, locked));
  return true;
}

type Nightly = {
  timeZone: string;
  lastResetAt: Date | null;
  createdAt: Date;
  resetPolicy: string;
  resetPolicySince: Date | null;
};

/**
 * Returns whether a nightly reset is due. It is due if nightly resets were already enabled at the latest `NIGHT`, and
 * if the sandbox was neither created nor reset since then.
 */
function isDue(now: Date, { timeZone, lastResetAt, createdAt, resetPolicy, resetPolicySince }: Nightly): boolean {
  if (resetPolicy !== 'DAILY') return false;
  const minute = Math.floor(now.getTime() / 60_000);
  const zone = storedZone(timeZone);
  const { date } = formatInstant(zone, minute);
  const tonight = nightOf(zone, date);
  const last = tonight <= minute ? tonight : nightOf(zone, dayBefore(date));
  const since = Math.max((lastResetAt ?? createdAt).getTime(), resetPolicySince?.getTime() ?? 0);
  return since < last * 60_000;
}

/**
 * Returns the time of the nightly reset on a date, in epoch minutes. If daylight saving skips that time, returns
 * three hours after the start of the day.
 */
function nightOf(zone: ReturnType<typeof storedZone>, date: string): number {
  return localToInstant(zone, date, NIGHT) ?? localDayBounds(zone, date).from + 180;
}

function dayBefore(date: string): string {
  return new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
}

async function reset(
  now: Date,
  tenantId: string,
  actor: Actor,
  isStillDue: (tenant: Nightly) => boolean,
): Promise<Date> {
  assertTest();
  if (tenantId !== SANDBOX_TENANT_ID) throw notFound();
  return db().$transaction(async (tx) => {
    // Every partner write holds this lock in shared mode, so each write ends before the reset or begins after the
    // reset.
    await takeLock(tx, exclusiveTenantLock(tenantId));
    const tenant = await tx.tenant.findUnique({ where: { id: tenantId } });
    if (!tenant) throw notFound();
    if (!isStillDue(tenant)) return tenant.lastResetAt ?? now;
    await removeBookings(tx, tenantId);
    await restoreCatalog(tx, now, tenantId);
    await tx.tenant.update({ where: { id: tenantId }, data: { lastResetAt: now } });
    const object = { kind: 'tenant', id: tenantId };
    await recordChange(tx, now, { tenantId, actor, action: 'sandbox.reset', object });
    return now;
  }, TIMEOUT);
}

async function removeBookings(tx: Db, tenantId: string): Promise<void> {
  await tx.delivery.deleteMany({ where: { tenantId } });
  await tx.webhookReplay.deleteMany({ where: { tenantId } });
  await tx.event.deleteMany({ where: { tenantId } });
  await tx.idempotencyKey.deleteMany({ where: { application: { tenantId } } });
  await tx.booking.deleteMany({ where: { tenantId } });
  await tx.slotClaim.deleteMany({ where: { tenantId } });
}

/** Replaces the catalog. Policies keep their locations, except those that the new catalog does not contain. */
async function restoreCatalog(tx: Db, now: Date, tenantId: string): Promise<void> {
  const allowed = await tx.applicationLocation.findMany({ where: { tenantId } });
  await tx.offering.deleteMany({ where: { tenantId } });
  await tx.specialist.deleteMany({ where: { tenantId } });
  await tx.service.deleteMany({ where: { tenantId } });
  await tx.location.deleteMany({ where: { tenantId } });
  // Imported dynamically, so that a LIVE server never loads the data of the synthetic business.
  const { seedCatalog } = await import('./seed/catalog');
  await seedCatalog(tx, now);
  const locations = await tx.location.findMany({ where: { tenantId }, select: { id: true } });
  const known = new Set(locations.map(({ id }) => id));
  await tx.applicationLocation.createMany({ data: allowed.filter(({ locationId }) => known.has(locationId)) });
  const changed = [...new Set(allowed.map(({ applicationId }) => applicationId))];
  // Each call of `markChanged` locks one row until the transaction ends. All transactions must lock these rows in the
  // order of the ids, because two of them could otherwise wait for each other.
  for (const id of changed.sort()) await markChanged(tx, 'policy', id);
}
