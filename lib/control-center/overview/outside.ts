import { readChecked } from '@/lib/booking/catalog/edit/outside';

/** The soonest bookings. */
const MAX_CHECKED = 2_000;
const MAX_LOCATIONS = 20;

/** `count` of bookings that the catalog no longer allows. */
export type OutsideAtLocation = {
  location: { id: string; name: string };
  bookings: number;
  /** Of the soonest of the counted bookings. */
  date: string;
  start_time: string;
};

/**
 * Returns the locations with future bookings outside the catalog, for example outside changed opening hours. The
 * location with the soonest such booking comes first. Reads the next 2,000 confirmed bookings with the index
 * bookings_tenant_id_status_starts_at_idx.
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
