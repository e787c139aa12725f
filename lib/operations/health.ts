import { setTimeout as delay } from 'node:timers/promises';
import { arePollsAnswered } from '@/lib/platform/cache';
import { pool } from '@/lib/platform/db';
import { rulesProblem } from '@/lib/platform/rules-in-force';
import { secretProblem } from '@/lib/platform/secrets';
import { singleton } from '@/lib/platform/singleton';
import { within } from '@/lib/platform/write-transaction';

/** Milliseconds. Callers of the health check have short timeouts. */
const CHECK_TIMEOUT = 2_000;

/** Milliseconds. Anyone may call the health check, and a flood would otherwise cause a query for almost every call. */
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

/** `draining`: shutting down, but still serving requests. */
export type Health = 'ok' | 'unavailable' | 'draining';

/**
 * Returns `ok` if the database responds, polls are answered, this process has the database's secrets, and its time zone
 * rules are in force. Late polls are fine, because the process then reads from the database.
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

/** Returns why this process is not ready, or null if it is, or if the reason is not public. */
export function reasonOf(health: Health): string | null {
  return health === 'unavailable' ? rulesProblem() : null;
}

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
 * Makes `isStopping` true, so that no more webhook attempts start. `announced`: the health check reports `draining`. It
 * must be false if another worker replaces this one, because the other workers on the port still need requests.
 */
export function beginDraining(announced: boolean): void {
  state().stopping = true;
  if (announced) state().draining = true;
}

/** Returns whether this server is shutting down. */
export function isDraining(): boolean {
  return state().draining;
}

/** Returns whether this process is shutting down, with the whole server or to be replaced by another worker. */
export function isStopping(): boolean {
  return state().stopping;
}
