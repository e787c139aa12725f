import { pool } from '@/lib/platform/db';
import { bind, nullable, param, sql, statement } from '@/lib/platform/sql';
import { bookingStart } from '../availability';
import { LOCAL_START } from '../local-columns';
import type { BookingRow } from './row';

/** Maximum number of overlaps that a page shows. */
const MAX_OVERLAPS = 20;

/** A booking that overlaps another one. A booking of a group stands for all bookings of its group. */
export type OverlappingBooking = { reference: string; date: string; start_time: string; service: string };

/** Two appointments of a specialist that overlap after a change of time zone rules (contract B7). */
export type Overlap = { specialist: string; bookings: OverlappingBooking[] };

type Side = Pick<BookingRow, 'reference' | 'time_zone' | 'date' | 'start_time'> & {
  service: string;
  starts_at: string;
};

const SIDE = sql`SELECT ${LOCAL_START}, b.reference, b.starts_at, b.time_zone,
    coalesce(s.name->>t.default_locale, s.id) AS service
  FROM bookings b JOIN services s ON s.id = b.service_id JOIN tenants t ON t.id = b.tenant_id
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.status = 'confirmed'`;

// At least one of two overlapping claims is outside of the exclusion constraint (`slot_claims.overlapping`).
const OVERLAPS = statement<{ specialist: string; one: Side; other: Side }>()`
  SELECT s.display_name AS specialist, to_jsonb(one) AS one, to_jsonb(other) AS other
  FROM slot_claims p
    JOIN slot_claims c ON c.specialist_id = p.specialist_id
      AND (c.during && p.overlapping OR c.overlapping && p.overlapping AND c.id > p.id)
    JOIN specialists s ON s.id = p.specialist_id
    JOIN LATERAL (${SIDE} AND b.claim_id = p.id ORDER BY b.reference LIMIT 1) one ON true
    JOIN LATERAL (${SIDE} AND b.claim_id = c.id ORDER BY b.reference LIMIT 1) other ON true
  WHERE p.tenant_id = ${param.text('tenantId')} AND p.overlapping IS NOT NULL
    AND upper(p.overlapping) > ${param.timestamptz('now')}
    AND (${nullable(param.uuid('claimId'))} IS NULL OR ${nullable(param.uuid('claimId'))} IN (p.id, c.id))
  ORDER BY p.starts_at, p.id, c.id LIMIT ${MAX_OVERLAPS}`;

/** Returns a tenant's overlaps that have not ended, soonest first: all, or those of one claim. */
export async function readOverlaps(now: Date, tenantId: string, claimId: string | null = null): Promise<Overlap[]> {
  const { rows } = await pool().query<{ specialist: string; one: Side; other: Side }>(
    bind(OVERLAPS, { tenantId, now, claimId }),
  );
  return rows.map(({ specialist, one, other }) => ({
    specialist,
    bookings: [one, other].sort((a, b) => (a.starts_at < b.starts_at ? -1 : 1)).map(shown),
  }));
}

function shown({ reference, service, starts_at, ...row }: Side): OverlappingBooking {
  return { reference, ...bookingStart({ ...row, starts_at: new Date(starts_at) }), service };
}
