import { AsyncLocalStorage } from 'node:async_hooks';
import { isId } from './ids';
import { singleton } from './singleton';

/** `pages` is the tenant for whose Control Center the call runs (see `inControlCenter`). */
type Scope = { tenantId: string | null; pages: string | null };

const NO_SCOPE: Scope = { tenantId: null, pages: null };

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

/** Like `inTenant`, with connections in turns of the tenant, and at most `PAGES_LOCK_WAIT` per lock. */
export function inControlCenter<T>(tenantId: string, work: () => T): T {
  return inTenant(tenantId, () => runIn({ tenantId, pages: tenantId }, work));
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

/** Returns SQL that limits the current transaction to the rows of a tenant. */
export function limitTo(tenantId: string): string {
  return `SELECT ${tenantSetting(tenantId)}`;
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
  ];
  return settings.length > 0 ? `SELECT ${settings.join(', ')}` : null;
}
