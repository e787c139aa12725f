import { db } from '@/lib/platform/db';

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
  // The Swedish locale formats dates as in ISO 8601.
  return `${list}-${new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(now)}.csv`;
}
