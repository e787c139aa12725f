import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
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
 * Runs `work` of the Control Center like `inTenant`. In addition, its connections to the primary are taken in turns of
 * the tenant (see `takeConnectionsInTurn`), and each of its transactions waits for a lock for at most `PAGES_LOCK_WAIT`.
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
  // This check is necessary, because the id becomes part of the SQL text.
  if (!isId('ten', tenantId)) throw new Error('not the id of a tenant');
  return `SET LOCAL partner_booking.tenant = '${tenantId}'`;
}

/**
 * SQL that ends what `limitTo` set for the current transaction. Run it after the statements that need the limit, and
 * before statements for data that belongs to a person (see `acrossTenants`).
 */
export const END_LIMIT = `SET LOCAL partner_booking.tenant = ''`;

type Query = (...args: unknown[]) => unknown;

/**
 * Changes a pool and its connections so that, within `inTenant`, statements reach only the rows of the tenant. A
 * transaction sets the tenant when it begins, because a pooler in transaction mode does not keep settings between
 * transactions. A statement that is sent to the pool itself therefore gets its own transaction. BEGIN, the statement,
 * and COMMIT are sent together, in one round trip.
 */
export function scopeStatements(pool: pg.Pool): void {
  const outside: Query = pool.query.bind(pool);
  const query: Query = (...args) => {
    const { tenantId, pages } = current();
    return tenantId || pages ? queryIn(pool, args) : outside(...args);
  };
  Object.assign(pool, { query });
  pool.on('connect', scopeTransactions);
}

/**
 * Limits each transaction that begins on a connection within `inTenant` to the rows of that tenant, and the waits for
 * locks of a transaction that begins within `inControlCenter`.
 */
function scopeTransactions(client: pg.PoolClient): void {
  const prototype = Object.getPrototypeOf(client) as { query: Query };
  const query: Query = (first, ...rest) => {
    const limits = limitsOf(current());
    const begins = limits === '' ? first : begun(limits, first);
    return Reflect.apply(prototype.query, client, [begins, ...rest]);
  };
  Object.assign(client, { query });
}

/** Matches the BEGIN at the start of a query. Other statements may follow it in the same query. */
const BEGIN = /^BEGIN\b[^;]*/;

function limitsOf({ tenantId, pages }: Scope): string {
  const parts = [
    ...(pages ? [`SET LOCAL lock_timeout = ${PAGES_LOCK_WAIT}`] : []),
    ...(tenantId ? [limitTo(tenantId)] : []),
  ];
  return parts.join('; ');
}

function begun(limits: string, query: unknown): unknown {
  const limited = (text: string) => text.replace(BEGIN, (begin) => `${begin}; ${limits}`);
  if (typeof query === 'string') return limited(query);
  const { text } = query as { text?: unknown };
  return typeof text === 'string' && BEGIN.test(text) ? { ...(query as object), text: limited(text) } : query;
}

async function queryIn(pool: pg.Pool, args: unknown[]): Promise<unknown> {
  const client = await pool.connect();
  const sent = [['BEGIN'], args, ['COMMIT']].map((one) => send(client, one));
  const ended = await Promise.allSettled(sent);
  // Closes the connection only if COMMIT failed. After a failed statement, the connection remains usable, because
  // COMMIT has ended the transaction.
  client.release(ended.at(-1)?.status === 'rejected');
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return sent[1];
}

/**
 * Sends a statement. Calls `query` with a callback, because tracing ignores such calls. The three statements of
 * `queryIn` would otherwise be traced individually, in addition to the whole call.
 */
function send(client: pg.PoolClient, args: unknown[]): Promise<unknown> {
  const query: Query = client.query.bind(client);
  return new Promise((resolve, reject) => {
    query(...args, (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)));
  });
}
