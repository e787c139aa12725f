import { AsyncLocalStorage } from 'node:async_hooks';
import { isId } from './ids';
import { singleton } from './singleton';

/**
 * `pages` is the tenant for whose Control Center the call runs, and `locations` are those that the caller reaches, or null
 * for all (see `inControlCenter`).
 */
type Scope = { tenantId: string | null; pages: string | null; locations: readonly string[] | null };

const NO_SCOPE: Scope = { tenantId: null, pages: null, locations: null };

/** Milliseconds, shorter than the 8 seconds of a Prisma transaction, so that the caller learns the cause. */
export const PAGES_LOCK_WAIT = 3_000;

const scopes = () => singleton('tenant-scope', () => new AsyncLocalStorage<Scope>());

const current = (): Scope => scopes().getStore() ?? NO_SCOPE;

/**
 * Runs `work` so that its statements reach only the rows of a tenant, by row-level security, unless the servers' role
 * owns the tables (decision 27). Bookings and claims have triggers instead, which prevent changes but not reads, so a
 * read of them needs its own condition on the tenant. A transaction belongs to the tenant in whose scope it begins.
 */
export function inTenant<T>(tenantId: string, work: () => T): T {
  if (!isId('ten', tenantId)) throw new Error('not the id of a tenant');
  return runIn({ ...current(), tenantId }, work);
}

/**
 * Like `inTenant`, with connections in turns of the tenant, and at most `PAGES_LOCK_WAIT` per lock. If `locations` is not
 * null, statements with `IN_REACH` find only bookings of these locations, and triggers refuse changes of others. By default,
 * the limit of the caller remains.
 */
export function inControlCenter<T>(tenantId: string, work: () => T, locations = current().locations): T {
  return inTenant(tenantId, () => runIn({ tenantId, pages: tenantId, locations }, work));
}

/** Returns the locations to which the caller is limited, or null for all locations of the tenant. */
export function reachedLocations(): readonly string[] | null {
  return current().locations;
}

/** Returns whether the caller reaches a location. */
export function isInReach(locationId: string): boolean {
  return current().locations?.includes(locationId) ?? true;
}

/** Returns the tenant for whose Control Center the current call runs, or null. */
export function controlCenterTenant(): string | null {
  return current().pages;
}

/** Runs `work` outside the scope of its caller: a shared result must not wait for the turn of one of its callers. */
export function outsideScopes<T>(work: () => T): T {
  return runIn(NO_SCOPE, work);
}

/** Runs `work` without a limit to one tenant, for data of a person. A transaction that began before stays limited. */
export function acrossTenants<T>(work: () => T): T {
  return runIn({ ...current(), tenantId: null }, work);
}

function runIn<T>(scope: Scope, work: () => T): T {
  return scopes().run(scope, () => {
    const result: unknown = work();
    // Prisma sends a query only when `then` is called. That call must happen here, within the scope.
    const isPromise = typeof result === 'object' && result !== null && 'then' in result;
    return (isPromise ? (result as PromiseLike<unknown>).then((value) => value) : result) as T;
  });
}

/** Returns SQL that limits the current transaction to the rows of a tenant, and to the locations that the caller reaches. */
export function limitTo(tenantId: string): string {
  return `SELECT ${[tenantSetting(tenantId), ...reachSetting()].join(', ')}`;
}

/** Matches no location. An empty setting would be no limit. */
const NO_LOCATION = '-';

function reachSetting(): string[] {
  const { locations } = current();
  if (locations === null) return [];
  // The ids become part of the SQL text.
  if (!locations.every((id) => isId('loc', id))) throw new Error('not the id of a location');
  return [`set_config('partner_booking.locations', '${locations.join(',') || NO_LOCATION}', true)`];
}

function tenantSetting(tenantId: string): string {
  // The id becomes part of the SQL text.
  if (!isId('ten', tenantId)) throw new Error('not the id of a tenant');
  return `set_config('partner_booking.tenant', '${tenantId}', true)`;
}

/** Ends `limitTo` for the current transaction, before statements for data of a person (see `acrossTenants`). */
export const END_LIMIT = `SELECT set_config('partner_booking.tenant', '', true)`;

/** Returns the SQL with which a transaction of the current call begins, or null without limits. */
export function limits(): string | null {
  const { tenantId, pages } = current();
  const settings = [
    ...(pages ? [`set_config('lock_timeout', '${PAGES_LOCK_WAIT}', true)`] : []),
    ...(tenantId ? [tenantSetting(tenantId)] : []),
    ...reachSetting(),
  ];
  return settings.length > 0 ? `SELECT ${settings.join(', ')}` : null;
}
