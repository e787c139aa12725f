import { AsyncLocalStorage } from 'node:async_hooks';
import { isId } from './ids';
import { singleton } from './singleton';

/**
 * What holds for an asynchronous call. `tenantId` is the tenant to which `inTenant` limits it. `pages` is the tenant for
 * whose Control Center it runs (see `inControlCenter`).
 */
type Scope = { tenantId: string | null; pages: string | null };

const NO_SCOPE: Scope = { tenantId: null, pages: null };

/**
 * Maximum milliseconds that a transaction of the Control Center waits for a lock. It is shorter than the 8 seconds that
 * Prisma allows for a transaction, so that the caller learns the cause.
 */
export const PAGES_LOCK_WAIT = 3_000;

const scopes = () => singleton('tenant-scope', () => new AsyncLocalStorage<Scope>());

const current = (): Scope => scopes().getStore() ?? NO_SCOPE;

/**
 * Runs `work` so that its statements read and change only the rows of a tenant, whatever conditions the statements
 * have. Row-level security ensures this, unless the servers' role owns the tables (decision 27). Bookings and claims
 * have triggers instead. The triggers prevent changes but not reads, so a read of them needs its own condition on the
 * tenant. A transaction belongs to the tenant in whose scope it begins.
 */
export function inTenant<T>(tenantId: string, work: () => T): T {
  if (!isId('ten', tenantId)) throw new Error('not the id of a tenant');
  return runIn({ ...current(), tenantId }, work);
}

/**
 * Runs `work` of the Control Center like `inTenant`. In addition, its connections are taken in turns of the tenant
 * (see `takeOwnTurn`), and each of its transactions waits for a lock for at most `PAGES_LOCK_WAIT`.
 */
export function inControlCenter<T>(tenantId: string, work: () => T): T {
  return inTenant(tenantId, () => runIn({ tenantId, pages: tenantId }, work));
}

/** Returns the tenant for whose Control Center the current call runs, or null (see `inControlCenter`). */
export function controlCenterTenant(): string | null {
  return current().pages;
}

/**
 * Runs `work` outside the scope of its caller. Use it for work whose result several callers share, such as the load of a
 * cached record: it must not wait for the turn of the caller that happened to come first.
 */
export function outsideScopes<T>(work: () => T): T {
  return runIn(NO_SCOPE, work);
}

/**
 * Runs `work` without a limit to one tenant. Use it for data that belongs to a person instead of a tenant, such as
 * memberships in other tenants. A transaction that began before `work` remains limited.
 */
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
  // This check is necessary, because the id becomes part of the SQL text.
  if (!isId('ten', tenantId)) throw new Error('not the id of a tenant');
  return `set_config('partner_booking.tenant', '${tenantId}', true)`;
}

/**
 * SQL that ends what `limitTo` set for the current transaction. Run it after the statements that need the limit, and
 * before statements for data that belongs to a person (see `acrossTenants`).
 */
export const END_LIMIT = `SELECT set_config('partner_booking.tenant', '', true)`;

/**
 * Returns the SQL with which a transaction of the current call begins: it limits the transaction to the tenant of
 * `inTenant`, and its waits for locks to those of `inControlCenter`. Returns null outside of both.
 */
export function limits(): string | null {
  const { tenantId, pages } = current();
  const settings = [
    ...(pages ? [`set_config('lock_timeout', '${PAGES_LOCK_WAIT}', true)`] : []),
    ...(tenantId ? [tenantSetting(tenantId)] : []),
  ];
  return settings.length > 0 ? `SELECT ${settings.join(', ')}` : null;
}
