import { pool } from '@/lib/platform/db';
import { bind, nullable, param, sql, statement } from '@/lib/platform/sql';
import { LOCAL_START } from '../local-times';
import type { BookingRow } from './booking';
import { IN_REACH } from './statements';

const MAX_OVERLAPS = 20;

/** A booking of a group stands for all of its group. */
export type OverlappingBooking = { reference: string; date: string; start_time: string; service: string };

/** After a change of time zone rules (contract B7). */
export type Overlap = { specialist: string; bookings: OverlappingBooking[] };

type Side = OverlappingBooking & Pick<BookingRow, 'claim_id'> & { starts_at: string };

const SIDE = sql`SELECT ${LOCAL_START}, b.reference, b.claim_id, b.starts_at, coalesce(s.name->>t.default_locale, s.id) AS service
  FROM bookings b JOIN services s ON s.id = b.service_id JOIN tenants t ON t.id = b.tenant_id
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.status = 'confirmed' AND ${IN_REACH}`;

type Found = { total: number; specialist: string; one: Side; other: Side };

// At least one of two overlapping claims is outside of the exclusion constraint (`slot_claims.overlapping`).
const OVERLAPS = statement<Found>()`
  SELECT (count(*) OVER ())::int AS total, s.display_name AS specialist, to_jsonb(one) AS one, to_jsonb(other) AS other
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

/** Returns a tenant's overlaps that have not ended: the soonest `MAX_OVERLAPS`, and how many there are in all. */
export async function readOverlaps(now: Date, tenantId: string): Promise<{ total: number; overlaps: Overlap[] }> {
  const rows = await read(now, tenantId, null);
  const overlaps = rows.map(({ specialist, one, other }) => ({
    specialist,
    bookings: [one, other].sort((a, b) => (a.starts_at < b.starts_at ? -1 : 1)).map(shown),
  }));
  return { total: rows[0]?.total ?? 0, overlaps };
}

/** Returns the bookings that overlap those of a claim, soonest first. */
export async function overlapsOfClaim(now: Date, tenantId: string, claimId: string): Promise<OverlappingBooking[]> {
  const rows = await read(now, tenantId, claimId);
  return rows.map(({ one, other }) => shown(one.claim_id === claimId ? other : one));
}

async function read(now: Date, tenantId: string, claimId: string | null): Promise<Found[]> {
  return (await pool().query<Found>(bind(OVERLAPS, { tenantId, now, claimId }))).rows;
}

function shown({ reference, date, start_time, service }: Side): OverlappingBooking {
  return { reference, date, start_time, service };
}
