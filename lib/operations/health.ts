import { setTimeout as delay } from 'node:timers/promises';
import { arePollsAnswered } from '@/lib/platform/cache/changes';
import { pool } from '@/lib/platform/db';
import { rulesProblem } from '@/lib/platform/rules-in-force';
import { secretProblem } from '@/lib/platform/secrets';
import { singleton } from '@/lib/platform/singleton';
import { within } from '@/lib/platform/write-transaction';

/**
 * Timeout of the database check in milliseconds. It is short, because callers of the health check have short
 * timeouts.
 */
const CHECK_TIMEOUT = 2_000;

/**
 * Minimum milliseconds between the starts of two database checks. Calls that arrive earlier wait, and then share one
 * check. Anyone may call the health check, so a flood of calls would otherwise cause a query for almost every call.
 */
const CHECK_INTERVAL = 20;

type State = { draining: boolean; stopping: boolean; pendingCheck: Promise<boolean> | null; checkedAt: number };

function state(): State {
  return singleton('health', () => ({
    draining: false,
    stopping: false,
    pendingCheck: null,
    checkedAt: Number.NEGATIVE_INFINITY,
  }));
}

/** `draining` means that the process is shutting down but still serves requests. */
export type Health = 'ok' | 'unavailable' | 'draining';

/**
 * Returns the health of this process. The health is `ok` if the database responds, the connection that receives cache
 * invalidations works, this process has the database's secrets, and its time zone rules are in force. If invalidations arrive late, the health stays
 * `ok`, because the process then reads the versions of cached records from the database.
 */
export async function checkHealth(): Promise<Health> {
  const current = state();
  if (current.draining) return 'draining';
  if (!isReady()) return 'unavailable';
  current.pendingCheck ??= nextCheck(current).finally(() => {
    current.pendingCheck = null;
  });
  const responds = await current.pendingCheck;
  if (current.draining) return 'draining';
  return responds && isReady() ? 'ok' : 'unavailable';
}

function isReady(): boolean {
  return arePollsAnswered() && secretProblem() === null && rulesProblem() === null;
}

/** Returns why this process is not ready, for the health check. Null if it is, or if the reason is not public. */
export function reasonOf(health: Health): string | null {
  return health === 'unavailable' ? rulesProblem() : null;
}

/** Checks the database as soon as `CHECK_INTERVAL` allows. */
async function nextCheck(current: State): Promise<boolean> {
  const early = current.checkedAt + CHECK_INTERVAL - performance.now();
  if (early > 0) await delay(early);
  current.checkedAt = performance.now();
  return databaseResponds();
}

async function databaseResponds(): Promise<boolean> {
  try {
    await within(performance.now() + CHECK_TIMEOUT, pool().query('SELECT 1'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes `isStopping` return true, so that this process starts no more webhook attempts. If `announced` is true, the
 * health check reports `draining`, so that proxies send no more requests to this server. `announced` must be false if
 * another worker replaces this one, because the other workers on the same port still need requests.
 */
export function beginDraining(announced: boolean): void {
  state().stopping = true;
  if (announced) state().draining = true;
}

/** Returns whether this server is shutting down. */
export function isDraining(): boolean {
  return state().draining;
}

/** Returns whether this process is shutting down, either with the whole server or to be replaced by another worker. */
export function isStopping(): boolean {
  return state().stopping;
}
