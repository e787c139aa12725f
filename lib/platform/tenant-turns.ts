import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AppError } from '@/lib/contract/errors/app-error';
import { env } from './env';
import { singleton } from './singleton';
import { controlCenterTenant } from './tenant-scope';
import { createTurns, type Turns } from './turns';

const MAX_OF_TENANT = 2;
/** For small pools. */
const SHARE_OF_TENANT = 1 / 4;
const SHARE_OF_ALL = 1 / 2;
const MAX_WAITING = 60;
/** Milliseconds, shorter than Prisma's wait for a transaction (see `db`). */
const MAX_WAIT = 3_000;

/**
 * Milliseconds, and those regained per millisecond. Calls compute while they use a connection, which costs partners.
 */
const ALLOWANCE = { most: 2_000, rate: 0.5 };
/** Milliseconds that one call costs at most, so that an import does not delay the next page for its whole duration. */
const MAX_COST = 500;

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

const waiting = () => singleton('tenant-turns-waiting', () => new Map<string, number>());

function countWaiting(tenantId: string, change: 1 | -1): void {
  const count = (waiting().get(tenantId) ?? 0) + change;
  if (count > 0) waiting().set(tenantId, count);
  else waiting().delete(tenantId);
}

const allowances = () =>
  singleton('tenant-allowances', () => new LRUCache<string, { left: number; at: number }>({ max: 10_000 }));

/** A negative result must be regained first. */
function spend(tenantId: string, cost: number): number {
  const now = performance.now();
  const { left, at } = allowances().get(tenantId) ?? { left: ALLOWANCE.most, at: now };
  const rest = Math.min(ALLOWANCE.most, left + (now - at) * ALLOWANCE.rate) - cost;
  allowances().set(tenantId, { left: rest, at: now });
  return rest;
}

/** A tenant that regains holds no turn, because others would miss it. After `isLate`, it does not regain. */
async function takeAllowed(tenantId: string, isLate: () => boolean): Promise<() => void> {
  for (;;) {
    const end = await turns().take(tenantId);
    const left = spend(tenantId, 0);
    if (left >= 0 || isLate()) return end;
    end();
    await delay(-left / ALLOWANCE.rate);
  }
}

function beginTurn(tenantId: string, end: () => void): () => void {
  const from = performance.now();
  return () => {
    spend(tenantId, Math.min(performance.now() - from, MAX_COST));
    end();
  };
}

/** The returned function must be called. @throws Error `NO_TURN` after `MAX_WAIT`, or if `MAX_WAITING` others wait. */
async function takeTurn(tenantId: string): Promise<() => void> {
  if ((waiting().get(tenantId) ?? 0) >= MAX_WAITING) throw refusal('too many calls wait');
  countWaiting(tenantId, 1);
  let isLate = false;
  const taken = takeAllowed(tenantId, () => isLate).finally(() => countWaiting(tenantId, -1));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), MAX_WAIT);
  });
  const end = await Promise.race([taken, late]);
  clearTimeout(timer);
  // A tenant with many waiting calls would otherwise fill every turn of the event loop.
  await nextTurn();
  if (end) return beginTurn(tenantId, end);
  isLate = true;
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
