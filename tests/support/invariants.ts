import { expect } from 'vitest';
import { pool } from '@/lib/platform/db';

/** Each finds a violation in the rows of the tenant `$1`. */
const VIOLATIONS: Record<string, string> = {
  'two claims of a specialist overlap': `
    SELECT a.id, b.id AS other FROM slot_claims a
    JOIN slot_claims b ON a.specialist_id = b.specialist_id AND a.id < b.id AND a.during && b.during
    WHERE a.tenant_id = $1`,
  'the number of taken seats of a claim is wrong, zero, or above its capacity': `
    SELECT c.id, c.taken, c.capacity, count(b.reference)::int AS guests FROM slot_claims c
    LEFT JOIN bookings b ON b.claim_id = c.id AND b.status <> 'cancelled'
    WHERE c.tenant_id = $1 GROUP BY c.id
    HAVING c.taken <> count(b.reference) OR c.taken NOT BETWEEN 1 AND c.capacity`,
  'a booking has no claim, or its time, location or specialist differs': `
    SELECT b.reference FROM bookings b LEFT JOIN slot_claims c ON c.id = b.claim_id
    WHERE b.tenant_id = $1 AND b.status <> 'cancelled' AND (b.claim_id IS NOT NULL OR b.claim_removed_at IS NULL)
      AND (c.tenant_id, c.specialist_id, c.service_id, c.location_id, c.starts_at, c.ends_at) IS DISTINCT FROM
          (b.tenant_id, b.specialist_id, b.service_id, b.location_id, b.starts_at, b.ends_at)`,
  'a cancelled booking keeps a seat': `
    SELECT reference FROM bookings WHERE tenant_id = $1 AND status = 'cancelled' AND claim_id IS NOT NULL`,
  'a booking does not have exactly one event per version': `
    SELECT b.reference, b.version, array_agg(e.version ORDER BY e.version) AS events FROM bookings b
    LEFT JOIN events e ON e.booking_reference = b.reference
      AND e.tenant_id = b.tenant_id AND e.application_id IS NOT DISTINCT FROM b.application_id AND e.version IS NOT NULL
    WHERE b.tenant_id = $1 GROUP BY b.reference
    HAVING array_agg(e.version ORDER BY e.version) IS DISTINCT FROM
      (SELECT array_agg(step) FROM generate_series(1, b.version) AS step)`,
  'the type of an event does not match its version or the state of the booking': `
    SELECT e.booking_reference, e.version, e.type, b.status FROM events e
    JOIN bookings b ON b.reference = e.booking_reference
    WHERE e.tenant_id = $1 AND (
      (e.version = 1) <> (e.type = 'booking.created')
      OR (e.version < b.version AND e.type NOT IN ('booking.created', 'booking.rescheduled', 'booking.updated')
        AND NOT (e.type IN ('booking.completed', 'booking.no_show') AND EXISTS (SELECT FROM events n
          WHERE n.booking_reference = e.booking_reference AND n.version = e.version + 1 AND n.type = 'booking.updated')))
      OR (e.version = b.version AND (b.status = 'confirmed') <> (e.type IN ('booking.created', 'booking.rescheduled', 'booking.updated')))
      OR (e.version = b.version AND b.status <> 'confirmed' AND e.type <> 'booking.' || b.status::text))`,
  'the last payload of a booking differs from its row': `
    SELECT b.reference FROM bookings b
    JOIN events e ON e.booking_reference = b.reference AND e.version = b.version
    CROSS JOIN LATERAL (SELECT e.payload::jsonb #> '{data,booking}' AS payload) AS p
    WHERE b.tenant_id = $1 AND (
      (p.payload ->> 'reference', p.payload ->> 'version', p.payload ->> 'status', p.payload ->> 'specialist_id', p.payload ->> 'service_id',
       p.payload ->> 'location_id') IS DISTINCT FROM
      (b.reference, b.version::text, b.status::text, b.specialist_id, b.service_id, b.location_id)
      OR (p.payload ->> 'starts_at')::timestamptz <> b.starts_at OR (p.payload ->> 'ends_at')::timestamptz <> b.ends_at)`,
  'the previous slot of a reschedule differs from the version before': `
    SELECT e.booking_reference, e.version FROM events e
    JOIN events p ON p.booking_reference = e.booking_reference AND p.version = e.version - 1
    WHERE e.tenant_id = $1 AND e.type = 'booking.rescheduled' AND (
      e.payload::jsonb #>> '{data,previous,starts_at}' IS DISTINCT FROM p.payload::jsonb #>> '{data,booking,starts_at}'
      OR e.payload::jsonb #>> '{data,previous,specialist_id}'
        IS DISTINCT FROM p.payload::jsonb #>> '{data,booking,specialist_id}')`,
  'one request made two events': `
    SELECT request_id FROM events WHERE tenant_id = $1 AND request_id IS NOT NULL GROUP BY request_id HAVING count(*) > 1`,
  "a partner's event has no log entry of its success": `
    SELECT e.id, l.status FROM events e LEFT JOIN request_log l ON l.request_id = e.request_id
    WHERE e.tenant_id = $1 AND e.actor = 'partner' AND (
      (l.status, l.booking_reference, l.application_id) IS DISTINCT FROM
      (CASE e.type WHEN 'booking.created' THEN 201 ELSE 200 END, e.booking_reference, e.application_id)
      OR l.replayed_from IS NOT NULL)`,
  'a logged success that is not a replay has no event': `
    SELECT l.request_id FROM request_log l LEFT JOIN events e ON e.request_id = l.request_id
    WHERE l.tenant_id = $1 AND l.method = 'POST' AND l.status < 300 AND l.replayed_from IS NULL AND e.id IS NULL`,
  'a stored response has no booking and event': `
    SELECT k.request_id FROM idempotency_keys k JOIN applications a ON a.id = k.application_id
    LEFT JOIN events e ON e.request_id = k.request_id AND e.booking_reference = k.booking_reference
      AND e.application_id = k.application_id
    WHERE a.tenant_id = $1 AND k.status IS NOT NULL AND e.id IS NULL`,
  "a partner's event does not have exactly one stored response": `
    SELECT e.id, count(k.key_hash)::int AS answers FROM events e LEFT JOIN idempotency_keys k
      ON k.request_id = e.request_id AND k.application_id = e.application_id AND k.status IS NOT NULL
    WHERE e.tenant_id = $1 AND e.actor = 'partner' GROUP BY e.id HAVING count(k.key_hash) <> 1`,
};

/**
 * A tenant's seats, versions, events, log entries, and stored responses agree, and claims do not overlap. `context` is
 * for the failure message.
 */
export async function expectIntact(tenantId: string, context = ''): Promise<void> {
  const broken = await Promise.all(
    Object.entries(VIOLATIONS).map(async ([rule, sql]) => {
      const { rows } = await pool().query(sql, [tenantId]);
      return rows.length > 0 ? [`${rule}: ${JSON.stringify(rows.slice(0, 5))}`] : [];
    }),
  );
  expect(broken.flat(), context).toEqual([]);
}

const STATE: Record<string, string> = {
  claims: `SELECT id, specialist_id, during::text, taken FROM slot_claims WHERE tenant_id = $1 ORDER BY id`,
  bookings: `
    SELECT reference, version, status, claim_id, specialist_id, starts_at, updated_at FROM bookings
    WHERE tenant_id = $1 ORDER BY reference`,
  events: 'SELECT id, booking_reference, version, request_id FROM events WHERE tenant_id = $1 ORDER BY id',
  answers: `
    SELECT encode(k.key_hash, 'hex') AS key, k.status, k.request_id FROM idempotency_keys k
    JOIN applications a ON a.id = k.application_id WHERE a.tenant_id = $1 ORDER BY k.key_hash`,
};

export async function stateOf(tenantId: string): Promise<Record<string, unknown[]>> {
  const read = async ([name, sql]: [string, string]) => [name, (await pool().query(sql, [tenantId])).rows] as const;
  return Object.fromEntries(await Promise.all(Object.entries(STATE).map(read)));
}
