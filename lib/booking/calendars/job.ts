import { pool } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { bind } from '@/lib/platform/sql';
import { createTurns } from '@/lib/platform/turns';
import { type Attempting, attempt } from './attempt';
import { LEASE_DUE, type Leased } from './statements';

/** Milliseconds of a lease, which is longer than any attempt. A calendar of a killed process is fetched again after it. */
export const LEASE = 60_000;
/** Maximum number of attempts that run at the same time in this process. */
const LANES = 8;
/** Milliseconds after which a run starts no further attempt. */
const MAX_TIME = 60_000;

/**
 * Fetches the calendars that are due, until none is or `MAX_TIME` has passed. Several processes can do this at the same
 * time. Returns the number of attempts.
 */
export async function fetchCalendars(clock: () => Date, on: Attempting, signal?: AbortSignal): Promise<number> {
  const deadline = performance.now() + MAX_TIME;
  let attempts = 0;
  // Two statements at the same time would not see each other's lease, and so not the limit of a tenant.
  const leasing = createTurns(1);
  const lease = async (now: Date) => {
    const end = await leasing.take('');
    try {
      const leasedUntil = new Date(now.getTime() + LEASE);
      return (await pool().query<Leased>(bind(LEASE_DUE, { now, leasedUntil }))).rows[0];
    } finally {
      end();
    }
  };
  const lane = async () => {
    while (performance.now() < deadline && !signal?.aborted) {
      const calendar = await lease(clock());
      if (!calendar) return;
      attempts += 1;
      await attempt(clock(), calendar, on).catch((error: unknown) => {
        // The lease ends by itself. Other calendars must not wait for it.
        log().warn({ err: error, calendar: calendar.id }, 'a calendar could not be recorded');
      });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return attempts;
}
