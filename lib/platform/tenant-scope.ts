import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@/lib/contract/errors/app-error';
import { env } from './env';
import { isId } from './ids';
import { singleton } from './singleton';
import { createTurns, type Turns } from './turns';

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

function controlCenterTenant(): string | null {
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

const MAX_OF_TENANT = 2;
/** For small pools. */
const SHARE_OF_TENANT = 1 / 4;
const SHARE_OF_ALL = 1 / 2;
const MAX_WAITING = 60;
/** Milliseconds, shorter than Prisma's wait for a transaction (see `db`). */
const MAX_WAIT = 3_000;

/** Returns the refusal of a call of the Control Center that got no connection, lock, or result in time. */
export function busy(cause: unknown): AppError {
  const message = 'The business is busy with other calls. Try again in a moment.';
  return new AppError('service_unavailable', { message, retryAfter: 1, cause });
}

function turns(): Turns {
  return singleton('tenant-turns', () => {
    const { DATABASE_POOL } = env();
    const all = Math.max(1, Math.floor(DATABASE_POOL * SHARE_OF_ALL));
    const each = Math.min(MAX_OF_TENANT, Math.max(1, Math.floor(DATABASE_POOL * SHARE_OF_TENANT)));
    return createTurns(all, each);
  });
}

/** The returned function must be called. @throws Error `NO_TURN` after `MAX_WAIT`, or if `MAX_WAITING` others wait. */
async function takeTurn(tenantId: string): Promise<() => void> {
  if (turns().waiting(tenantId) >= MAX_WAITING) throw refusal('too many calls wait');
  const taken = turns().take(tenantId);
  const late = new AbortController();
  const end = await Promise.race([taken, delay(MAX_WAIT, null, { signal: late.signal })]);
  late.abort();
  // A tenant with many waiting calls would otherwise fill every turn of the event loop.
  await nextTurn();
  if (end) return end;
  void taken.then((unused) => unused());
  throw refusal('waited too long');
}

/** Prisma replaces an `AppError` of the pool by one of its own, but keeps the code, which `toAppError` recognizes. */
export const NO_TURN = 'PB_NO_TURN';

function refusal(why: string): Error {
  return Object.assign(new Error(`The tenant is busy: ${why}.`), { code: NO_TURN });
}

/**
 * Waits for a turn of the current call of the Control Center, and returns a function that ends it. One tenant thus
 * never takes the connections that partners need. A call must not take a second connection while it holds one, because
 * both would need a turn.
 * @throws Error like `takeTurn`.
 */
export async function takeOwnTurn(): Promise<() => void> {
  const tenantId = controlCenterTenant();
  return tenantId === null ? () => {} : takeTurn(tenantId);
}
