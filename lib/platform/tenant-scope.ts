import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { gather } from './gather';
import { isId } from './ids';
import { singleton } from './singleton';

/**
 * Holds, for each asynchronous call, the id of the tenant to which `inTenant` limits it. Null or unset means that the
 * call is not limited.
 */
const scope = () => singleton('tenant-scope', () => new AsyncLocalStorage<string | null>());

/**
 * Runs `work` so that its statements read and change only the rows of a tenant, whatever conditions the statements
 * have. Row-level security ensures this, unless the servers' role owns the tables (decision 27). Bookings and claims
 * have triggers instead. The triggers prevent changes but not reads, so a read of them needs its own condition on the
 * tenant. A transaction belongs to the tenant in whose scope it begins.
 */
export function inTenant<T>(tenantId: string, work: () => T): T {
  if (!isId('ten', tenantId)) throw new Error('not the id of a tenant');
  return runIn(tenantId, work);
}

/**
 * Runs `work` without a tenant. Use it for data that belongs to a person instead of a tenant, such as memberships in
 * other tenants. A transaction must begin within `work`.
 */
export function acrossTenants<T>(work: () => T): T {
  return runIn(null, work);
}

function runIn<T>(tenantId: string | null, work: () => T): T {
  return scope().run(tenantId, () => {
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
 * SQL that ends the limit of the current transaction to one tenant. Run it after the statements that need this limit,
 * and before statements for data that belongs to a person (see `acrossTenants`).
 */
export const END_LIMIT = `SET LOCAL partner_booking.tenant = ''`;

type Query = (...args: unknown[]) => unknown;

/**
 * Makes a pool and its connections respect `inTenant`. Within `inTenant`, each statement of the pool runs in a separate
 * transaction, because a pooler in transaction mode would lose a setting of the connection. BEGIN, the statement, and
 * COMMIT are sent together, so the caller waits for only one round trip.
 */
export function scopeStatements(pool: pg.Pool): void {
  const outside: Query = pool.query.bind(pool);
  const query: Query = (...args) => {
    const tenantId = scope().getStore();
    return tenantId ? queryIn(pool, args) : outside(...args);
  };
  Object.assign(pool, { query });
  pool.on('connect', scopeTransactions);
}

/** Makes every transaction of a connection belong to the tenant in whose scope the transaction begins. */
function scopeTransactions(client: pg.PoolClient): void {
  const prototype = Object.getPrototypeOf(client) as { query: Query };
  const query: Query = (first, ...rest) => {
    const tenantId = scope().getStore();
    const begins = tenantId ? begun(tenantId, first) : first;
    return Reflect.apply(prototype.query, client, [begins, ...rest]);
  };
  Object.assign(client, { query });
}

/** Matches the BEGIN at the start of a query. Other statements may follow it in the same query. */
const BEGIN = /^BEGIN\b[^;]*/;

function begun(tenantId: string, query: unknown): unknown {
  const limited = (text: string) => text.replace(BEGIN, (begin) => `${begin}; ${limitTo(tenantId)}`);
  if (typeof query === 'string') return limited(query);
  const { text } = query as { text?: unknown };
  return typeof text === 'string' && BEGIN.test(text) ? { ...(query as object), text: limited(text) } : query;
}

async function queryIn(pool: pg.Pool, args: unknown[]): Promise<unknown> {
  const client = await pool.connect();
  gather(client);
  const sent = [['BEGIN'], args, ['COMMIT']].map((one) => send(client, one));
  const ended = await Promise.allSettled(sent);
  // If the statement fails, the connection remains usable, because the response to COMMIT shows that the transaction
  // has ended. If COMMIT fails, the connection is closed.
  client.release(ended.at(-1)?.status === 'rejected');
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return sent[1];
}

/** Sends a statement with a callback. Such calls are not traced: `queryIn` as a whole is traced as one statement. */
function send(client: pg.PoolClient, args: unknown[]): Promise<unknown> {
  const query: Query = client.query.bind(client);
  return new Promise((resolve, reject) => {
    query(...args, (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)));
  });
}
