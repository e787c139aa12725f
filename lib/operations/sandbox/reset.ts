import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { notFound } from '@/lib/contract/errors/app-error';
import { markChanged } from '@/lib/platform/cache';
import { type Db, db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { SANDBOX_TENANT_ID } from '@/lib/platform/ids';
import { exclusiveTenantLock, takeLock } from '@/lib/platform/locks';
import { log } from '@/lib/platform/log';
import { formatInstant, localDayBounds, localToInstant, storedZone } from '@/lib/platform/time-zones';
import { makeExampleBookings } from './example-bookings';

/** Local time. Partners rarely test at this time. */
const NIGHT = '03:00';

/** Milliseconds. Running writes hold the tenant's lock for at most eight seconds. */
const TIMEOUT = { maxWait: 10_000, timeout: 60_000 };

/** LIVE must never be reset (contract A, Environments), whatever callers check. */
function assertTest(): void {
  if (env().ENVIRONMENT !== 'TEST') throw notFound();
}

/**
 * Restores the synthetic catalog of the sandbox and deletes its bookings, claims, blocks, idempotency keys, events, calendars,
 * and deliveries, and sets all clocks to real time, in one transaction. Then makes the bookings of the examples. Keeps
 * applications, keys, endpoints, calendar feeds, users, and the request log. Writes wait until the reset ends. Returns the time
 * of the reset.
 * @throws AppError not_found in LIVE and for tenants other than the sandbox.
 */
export async function resetSandbox(now: Date, { tenantId, actor }: { tenantId: string; actor: Actor }): Promise<Date> {
  return reset(now, tenantId, actor, () => true);
}

/** Runs the nightly reset if it is due, in one of several processes. Returns whether it was due. */
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

/** Due if enabled at the latest `NIGHT`, and if the sandbox was neither created nor reset since then. */
export function isDue(
  now: Date,
  { timeZone, lastResetAt, createdAt, resetPolicy, resetPolicySince }: Nightly,
): boolean {
  if (resetPolicy !== 'DAILY') return false;
  const minute = Math.floor(now.getTime() / 60_000);
  const zone = storedZone(timeZone);
  const { date } = formatInstant(zone, minute);
  const tonight = nightOf(zone, date);
  const last = tonight <= minute ? tonight : nightOf(zone, dayBefore(date));
  const since = Math.max((lastResetAt ?? createdAt).getTime(), resetPolicySince?.getTime() ?? 0);
  return since < last * 60_000;
}

/** Epoch minutes. If daylight saving skips that time: three hours after the start of the day. */
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
  const at = await db().$transaction(async (tx) => {
    // Every partner write holds this lock in shared mode, so it ends before the reset or begins after it.
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
  // If it fails, the job `examples` makes them within a minute.
  await makeExampleBookings(now).catch((error: unknown) =>
    log().warn({ err: error }, 'the bookings of the examples will be made later'),
  );
  return at;
}

async function removeBookings(tx: Db, tenantId: string): Promise<void> {
  await tx.delivery.deleteMany({ where: { tenantId } });
  await tx.webhookReplay.deleteMany({ where: { tenantId } });
  await tx.event.deleteMany({ where: { tenantId } });
  await tx.idempotencyKey.deleteMany({ where: { application: { tenantId } } });
  await tx.booking.deleteMany({ where: { tenantId } });
  await tx.slotClaim.deleteMany({ where: { tenantId } });
  await tx.calendar.deleteMany({ where: { tenantId } });
  await tx.block.deleteMany({ where: { tenantId } });
}

/** Policies keep their locations and feeds their URLs, except those of records that the new catalog does not contain. */
async function restoreCatalog(tx: Db, now: Date, tenantId: string): Promise<void> {
  const allowed = await tx.applicationLocation.findMany({ where: { tenantId } });
  // Deleting a specialist or a location deletes its calendar feed.
  const feeds = await tx.calendarFeed.findMany({ where: { tenantId } });
  await tx.offering.deleteMany({ where: { tenantId } });
  await tx.specialist.deleteMany({ where: { tenantId } });
  await tx.service.deleteMany({ where: { tenantId } });
  await tx.location.deleteMany({ where: { tenantId } });
  // A LIVE server never loads the data of the synthetic business.
  const { seedCatalog } = await import('./seed/catalog');
  await seedCatalog(tx, now);
  const locations = await tx.location.findMany({ where: { tenantId }, select: { id: true } });
  const specialists = await tx.specialist.findMany({ where: { tenantId }, select: { id: true } });
  const known = new Set([...locations, ...specialists].map(({ id }) => id));
  await tx.calendarFeed.createMany({
    data: feeds.filter(({ specialistId, locationId }) => known.has(specialistId ?? locationId ?? '')),
  });
  await tx.applicationLocation.createMany({ data: allowed.filter(({ locationId }) => known.has(locationId)) });
  const ahead = await tx.application.findMany({
    where: { tenantId, clockOffsetSeconds: { gt: 0 } },
    select: { id: true },
  });
  await tx.application.updateMany({ where: { tenantId }, data: { clockOffsetSeconds: 0 } });
  const changed = [...new Set([...allowed.map(({ applicationId }) => applicationId), ...ahead.map(({ id }) => id)])];
  // Each call locks one row. All transactions lock these rows in the order of the ids, so that two cannot deadlock.
  for (const id of changed.sort()) await markChanged(tx, 'policy', id);
}
