import { db } from '@/lib/platform/db';
import { localTimestamp, storedZone } from '@/lib/platform/time-zones';

/** Returns a tenant's time zone, which determines the dates in the names of its exported files. */
export async function timeZoneOf(tenantId: string): Promise<string> {
  const { timeZone } = await db().tenant.findFirstOrThrow({ where: { id: tenantId }, select: { timeZone: true } });
  return timeZone;
}

/**
 * Returns the name of an exported file with the date of the export, such as `requests-2026-11-22.csv`.
 * @param timeZone The time zone of the date.
 */
export function exportName(list: string, now: Date, timeZone: string): string {
  return `${list}-${localTimestamp(storedZone(timeZone), now).slice(0, 10)}.csv`;
}
