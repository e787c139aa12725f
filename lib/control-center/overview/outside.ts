import { readChecked } from '@/lib/booking/catalog/edit/outside';

/**
 * Maximum number of bookings to check. The soonest bookings are checked first. A booking beyond the maximum is checked
 * later, when fewer bookings precede it.
 */
const MAX_CHECKED = 2_000;
/** Maximum number of locations in the result. */
const MAX_LOCATIONS = 20;

/** The future bookings at a location that are outside the catalog: their number, and the start of the first one. */
export type OutsideAtLocation = {
  location: { id: string; name: string };
  bookings: number;
  /** The date and time at which the first of these bookings starts, in the location's time zone. */
  date: string;
  start_time: string;
};

/**
 * Returns the locations with future bookings that are outside the catalog, for example outside changed opening hours or
 * in time off. The location whose first such booking starts soonest comes first. Reads the tenant's next 2,000
 * confirmed bookings from the index bookings_tenant_id_status_starts_at_idx.
 */
export async function outsideByLocation(tenantId: string, now: Date): Promise<OutsideAtLocation[]> {
  const { bookings } = await readChecked(tenantId, now, null, MAX_CHECKED);
  const found = new Map<string, OutsideAtLocation>();
  for (const { reason, location_id, listed } of bookings) {
    if (!reason) continue;
    const known = found.get(location_id);
    if (known) {
      known.bookings += 1;
      continue;
    }
    const { location_name, date, start_time } = listed(reason);
    found.set(location_id, { location: { id: location_id, name: location_name }, bookings: 1, date, start_time });
  }
  return [...found.values()].slice(0, MAX_LOCATIONS);
}
