import type { Policy } from '@/lib/access/applications/policy';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import { createTurns, type Turns } from '@/lib/platform/turns';

/**
 * Fractions of the pool's connections, for one application and for all. With more, one application with wide reads
 * would delay every other request.
 */
const RUNNING = {
  'medium availability': { each: 1 / 4, all: 1 / 2 },
  'wide availability': { each: 1 / 16, all: 1 / 4 },
  booking: { each: 1 / 4, all: 1 / 2 },
  bookings: { each: 1 / 16, all: 1 / 4 },
};

function turnsOf(kind: keyof typeof RUNNING): Turns {
  const { each, all } = RUNNING[kind];
  const part = (fraction: number) => Math.ceil(env().DATABASE_POOL * fraction);
  return singleton(`read-turns:${kind}`, () => createTurns(part(all), part(each)));
}

/** The application that reads. */
export type ReadingApplication = Pick<Policy, 'tenantId' | 'applicationId'>;

/**
 * Waits for a turn, and then calls `read`. Tenants take turns, and so do the applications of a tenant, so that neither an
 * application with many reads nor a tenant with many applications delays others. `beginWork` limits the number of reads
 * that wait.
 */
export async function readInTurn<T>(
  kind: keyof typeof RUNNING,
  { tenantId, applicationId }: ReadingApplication,
  read: () => Promise<T>,
): Promise<T> {
  const endTurn = await turnsOf(kind).take(applicationId, tenantId);
  try {
    return await read();
  } finally {
    endTurn();
  }
}

/**
 * In specialist days (days × specialists). A read of this size takes about as long as any other request. One of
 * `MEDIUM_DAYS` can share a query with others.
 */
const SMALL_DAYS = 25;
export const MEDIUM_DAYS = 100;

/** Calls `read` of `days` specialist days. A medium or wide read first waits for its turn (see `readInTurn`). */
export function readSlotsInTurn<T>(application: ReadingApplication, days: number, read: () => Promise<T>): Promise<T> {
  if (days <= SMALL_DAYS) return read();
  return readInTurn(days > MEDIUM_DAYS ? 'wide availability' : 'medium availability', application, read);
}
