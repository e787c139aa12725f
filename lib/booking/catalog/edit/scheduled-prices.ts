import { recordChanges } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db, pool } from '@/lib/platform/db';
import { isId } from '@/lib/platform/ids';
import { DAY, formatDay, formatInstant, parseDay, storedZone } from '@/lib/platform/time-zones';
import { saveEdited } from './bulk';
import { refusalOf } from './issues';
import { readRecord } from './records';
import { price, type ServiceDoc } from './schemas';
import { SERVICES } from './service-kind';
import { type By, type Change, changeCatalog } from './write';

/** Days after today on which a price can begin at the latest. */
const MAX_DAYS_AHEAD = 366;

/** Maximum number of tenants of one run. The next run finds the others. */
const MAX_TENANTS = 200;

/** `valid_from` is a date in the time zone of the business. */
export type NextPrice = { amount: number; currency: string; valid_from: string };

type Price = NonNullable<ServiceDoc['price']>;

/** `before` is the price that the owner's preview showed. */
type Scheduled = { id: string; before: Price; amount: number };

/** The audit entries with which the change can be undone. */
type SchedulingResult = { changed: number; undo: string[] };

/**
 * Schedules the prices of several services, in place of those that were scheduled before. Their currencies stay the same.
 * @throws AppError not_found; invalid_request for a price, or for a date that is not one of the next `MAX_DAYS_AHEAD` days;
 *   version_conflict if a price has changed since the preview.
 */
export async function schedulePrices(
  now: Date,
  by: By,
  changes: readonly Scheduled[],
  validFrom: string,
): Promise<SchedulingResult> {
  for (const { before, amount } of changes) {
    const parsed = price.safeParse({ ...before, amount });
    if (!parsed.success)
      throw refusalOf(parsed.error.issues.map(({ path, message }) => ({ path: ['price', ...path], message })));
  }
  return changeCatalog(now, by, async (change) => {
    const { tx, tenantId } = change;
    const today = parseDay(await todayOf(tx, now, tenantId));
    const day = parseDay(validFrom);
    if (day <= today || day > today + MAX_DAYS_AHEAD)
      throw invalidField('valid_from', `must be from ${formatDay(today + 1)} to ${formatDay(today + MAX_DAYS_AHEAD)}`);
    const services = await readServices(change, changes);
    const next = changes.map(({ id, before, amount }) => {
      const current = services.get(id)?.price;
      if (current?.amount !== before.amount || current.currency !== before.currency)
        throw new AppError('version_conflict');
      return [id, { amount, currency: before.currency, valid_from: validFrom }] as const;
    });
    return replaceNext(change, new Map(next));
  });
}

/** Removes the scheduled prices of several services. Services without one stay as they are. @throws AppError not_found */
export async function unschedulePrices(now: Date, by: By, ids: readonly string[]): Promise<SchedulingResult> {
  return changeCatalog(now, by, async (change) => {
    await readServices(
      change,
      ids.map((id) => ({ id })),
    );
    return replaceNext(change, new Map(ids.map((id) => [id, null])));
  });
}

/** Returns the documents of services. @throws AppError not_found if one does not exist, or is named twice. */
async function readServices({ tx, tenantId }: Change, named: readonly { id: string }[]) {
  const ids = named.map(({ id }) => id).filter((id) => isId(SERVICES.prefix, id));
  const services = new Map((await SERVICES.read(tx, tenantId, ids)).map(({ id, doc }) => [id, doc]));
  if (services.size !== named.length) throw notFound();
  return services;
}

/** The actions of the audit entries. Their `before` and `after` have the scheduled price, or null. */
export const SCHEDULING = ['service.price_scheduled', 'service.price_unscheduled'] as const;

/** Sets or removes scheduled prices. `undoOf` has the audit entries that the change undoes, by service. */
export async function replaceNext(
  change: Change,
  next: ReadonlyMap<string, NextPrice | null>,
  undoOf: ReadonlyMap<string, string> = new Map(),
): Promise<SchedulingResult> {
  const { tx, tenantId, actor, now } = change;
  const old = await nextPrices(tx, tenantId, [...next.keys()]);
  const changed = [...next].filter(([id, after]) => !isSame(old.get(id) ?? null, after));
  const ids = changed.map(([id]) => id);
  await tx.scheduledPrice.deleteMany({ where: { tenantId, serviceId: { in: ids } } });
  const rows = changed.flatMap(([serviceId, after]) => {
    if (!after) return [];
    const { amount, currency, valid_from } = after;
    return [{ tenantId, serviceId, amount, currency, validFrom: new Date(valid_from), createdAt: now }];
  });
  await tx.scheduledPrice.createMany({ data: rows });
  const entries = changed.map(([id, after]) => ({
    tenantId,
    actor,
    action: after ? SCHEDULING[0] : SCHEDULING[1],
    object: { kind: 'service', id },
    before: { scheduled_price: old.get(id) ?? null },
    after: { scheduled_price: after, ...(undoOf.has(id) && { undo_of: undoOf.get(id) }) },
  }));
  return { changed: changed.length, undo: await recordChanges(tx, now, entries) };
}

/** Returns whether two scheduled prices are the same. */
export function isSame(one: NextPrice | null, other: NextPrice | null): boolean {
  if (one === null || other === null) return one === other;
  return one.amount === other.amount && one.currency === other.currency && one.valid_from === other.valid_from;
}

/** Returns the scheduled prices of services, by id. */
export async function nextPrices(tx: Db, tenantId: string, ids: readonly string[]): Promise<Map<string, NextPrice>> {
  const rows = await tx.scheduledPrice.findMany({ where: { tenantId, serviceId: { in: [...ids] } } });
  return new Map(
    rows.map(({ serviceId, amount, currency, validFrom }) => [
      serviceId,
      { amount, currency, valid_from: validFrom.toISOString().slice(0, 10) },
    ]),
  );
}

/** Returns the scheduled price of a service, or null. @throws AppError not_found */
export async function readNextPrice(tenantId: string, id: string): Promise<NextPrice | null> {
  await readRecord(SERVICES, tenantId, id);
  return (await nextPrices(db(), tenantId, [id])).get(id) ?? null;
}

/** Returns the date of today in the time zone of a business. */
export async function todayOf(tx: Db, now: Date, tenantId: string): Promise<string> {
  const { timeZone } = await tx.tenant.findUniqueOrThrow({ where: { id: tenantId }, select: { timeZone: true } });
  return dateIn(timeZone, now);
}

const dateIn = (timeZone: string, now: Date) =>
  formatInstant(storedZone(timeZone), Math.floor(now.getTime() / 60_000)).date;

// No time zone is more than a day ahead of UTC. While a business is moved to another deployment, its catalog stays as it is.
const TENANTS = `
  SELECT t.id, t.time_zone, min(p.valid_from)::text AS first FROM scheduled_prices p JOIN tenants t ON t.id = p.tenant_id
  WHERE p.valid_from <= $1::date AND t.elsewhere_since IS NULL AND t.deletion_began_at IS NULL
  GROUP BY t.id ORDER BY first, t.id LIMIT ${MAX_TENANTS}`;

/**
 * Gives services the prices whose date has come, and deletes them from the schedule, in one transaction per tenant. So a price is
 * applied once, also by several processes at the same time. A price in another currency than the service has by now is
 * dropped. Returns the number of services that have a new price.
 * @throws the first error of a tenant, after the others
 */
export async function applyScheduledPrices(now: Date, signal?: AbortSignal): Promise<number> {
  const tomorrow = new Date(now.getTime() + DAY * 60_000).toISOString().slice(0, 10);
  const { rows } = await pool().query<{ id: string; time_zone: string; first: string }>(TENANTS, [tomorrow]);
  let applied = 0;
  const failures: unknown[] = [];
  for (const { id: tenantId, time_zone, first } of rows) {
    if (signal?.aborted) break;
    if (first > dateIn(time_zone, now)) continue;
    try {
      const by = { tenantId, actor: { kind: 'system' } as const };
      applied += await changeCatalog(now, by, applyDue);
    } catch (error) {
      // Others must not wait for a tenant that is busy.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return applied;
}

async function applyDue(change: Change): Promise<number> {
  const { tx, tenantId, now } = change;
  const validFrom = { lte: new Date(await todayOf(tx, now, tenantId)) };
  const due = await tx.scheduledPrice.findMany({ where: { tenantId, validFrom }, orderBy: { serviceId: 'asc' } });
  const services = await readServices(
    change,
    due.map(({ serviceId: id }) => ({ id })),
  );
  const edited = due.flatMap(({ serviceId: id, amount, currency }) => {
    const before = services.get(id);
    if (before?.price?.currency !== currency || before.price.amount === amount) return [];
    return [{ id, before, after: { ...before, price: { amount, currency } } }];
  });
  const dropped = due.filter(({ serviceId, currency }) => services.get(serviceId)?.price?.currency !== currency);
  await replaceNext(change, new Map(dropped.map(({ serviceId }) => [serviceId, null])));
  await tx.scheduledPrice.deleteMany({ where: { tenantId, serviceId: { in: due.map(({ serviceId }) => serviceId) } } });
  await saveEdited(SERVICES, change, 'updated', edited);
  return edited.length;
}
