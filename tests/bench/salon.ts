import type { Connections } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { ZONE_RULES } from '@/lib/platform/time-zones';
import type { Stage } from './stage';

const DAY = 86_400_000;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
/**
 * Number of bookings per specialist and day, and the minutes between their starts. The first booking starts at
 * midnight.
 */
const BOOKINGS = { perDay: 40, everyMinutes: 30 };
/** Timeout in milliseconds of a statement that fills a table. With 0, the shorter timeout of the pool would apply. */
const FILL_TIMEOUT = 600_000;

/** The records to which all bookings refer. The service takes 15 minutes and is offered 24 hours a day. */
export type Salon = {
  tenantId: string;
  applicationId: string;
  locationId: string;
  serviceId: string;
  specialistIds: string[];
};

/** Creates a published salon. Only the first `offering` specialists offer the service. */
export async function makeSalon(
  { tenantId, applicationId }: Pick<Stage, 'tenantId' | 'applicationId'>,
  specialists = 5,
  offering = 5,
): Promise<Salon> {
  const { db } = await import('@/lib/platform/db');
  const { markChanged } = await import('@/lib/platform/cache');
  const ids = { locationId: newId('loc'), serviceId: newId('svc') };
  const specialistIds = Array.from({ length: specialists }, () => newId('spc')).sort();
  const allDay = WEEKDAYS.map((weekday) => ({ weekday, opens: '00:00', closes: '00:00' }));
  await db().$transaction(async (tx) => {
    const name = { en: 'Salon' };
    const address = { line1: '1 Example Street', city: 'Berlin', postalCode: '10115', country: 'DE', timeZone: 'UTC' };
    await tx.location.create({
      data: { id: ids.locationId, tenantId, name, ...address, published: true, hours: { create: allDay } },
    });
    const minutes = { durationMinutes: 15, slotIntervalMinutes: 15, maxAdvanceDays: 365 };
    await tx.service.create({ data: { id: ids.serviceId, tenantId, name, ...minutes, published: true } });
    const people = specialistIds.map((id) => ({ id, tenantId, displayName: 'Specialist', published: true }));
    await tx.specialist.createMany({ data: people });
    // Only the first `offering` specialists offer the service. Bookings of the others only make the tables larger.
    const at = specialistIds
      .slice(0, offering)
      .map((specialistId) => ({ tenantId, specialistId, locationId: ids.locationId }));
    await tx.offering.createMany({ data: at.map((pair) => ({ ...pair, serviceId: ids.serviceId })) });
    await tx.specialistHours.createMany({ data: at.flatMap((pair) => allDay.map((hours) => ({ ...pair, ...hours }))) });
    await markChanged(tx, 'catalog', tenantId);
  });
  return { tenantId, applicationId, ...ids, specialistIds };
}

// Inserts a claim and the matching booking for each slot. The rows are the same as those that the server writes.
const FILL = `
  WITH slot AS (
    SELECT gen_random_uuid() AS claim_id, specialist.id AS specialist_id, $10::date + day AS date,
      time '00:00' + n * make_interval(mins => $9) AS start_time, (n * $9 + 15) / 1440 AS nights,
      $6::timestamptz + day * interval '1 day' + n * make_interval(mins => $9) AS starts_at
    FROM unnest($1::text[]) AS specialist(id), generate_series(0, $7::int - 1) AS day, generate_series(0, $8::int - 1) AS n),
  claim AS (
    INSERT INTO slot_claims (id, tenant_id, specialist_id, service_id, location_id, starts_at, ends_at, during, capacity, taken)
    SELECT claim_id, $2, specialist_id, $3, $4, starts_at, starts_at + interval '15 minutes',
      tstzrange(starts_at, starts_at + interval '15 minutes'), 1, 1 FROM slot)
  INSERT INTO bookings (reference, tenant_id, application_id, claim_id, service_id, location_id, specialist_id, starts_at,
    ends_at, time_zone, date, start_time, end_date, end_time, zone_rules, local_version, cancellation_cutoff_minutes,
    external_reference, consent_at, created_at, updated_at)
  SELECT 'pbr_' || left(translate(claim_id::text, '-', ''), 26), $2, $5, claim_id, $3, $4, specialist_id, starts_at,
    starts_at + interval '15 minutes', 'UTC', date, start_time, date + nights, start_time + interval '15 minutes', $11, 1, 0,
    'bench', now(), now(), now() FROM slot`;

/**
 * Inserts `perDay` bookings per specialist and day for `days` days from `from`. Does not run ANALYZE, so the planner's
 * statistics do not cover these dates. In production, the statistics do not cover the dates of most bookings either.
 */
export async function fillDays(
  pool: Connections,
  salon: Salon,
  specialistIds: string[],
  from: Date,
  days: number,
  { perDay, everyMinutes } = BOOKINGS,
): Promise<void> {
  const client = await pool.connect();
  try {
    // Disables the statement timeout, triggers, and foreign keys. Foreign keys need no check, because all references
    // are valid.
    await client.query('SET session_replication_role = replica; SET statement_timeout = 0');
    const { tenantId, serviceId, locationId, applicationId } = salon;
    const records = [specialistIds, tenantId, serviceId, locationId, applicationId];
    const date = from.toISOString().slice(0, 10);
    const query = {
      text: FILL,
      values: [...records, from, days, perDay, everyMinutes, date, ZONE_RULES],
      query_timeout: FILL_TIMEOUT,
    };
    await client.query(query);
  } finally {
    client.release(true);
  }
}

/** Removes all bookings, with their claims, events, deliveries, and idempotency keys. */
export async function emptyBookings(pool: Connections): Promise<void> {
  await pool.query('TRUNCATE delivery_attempts, deliveries, slot_claims, bookings, events, idempotency_keys CASCADE');
}

/** Returns the day that is `days` days after today: its start (midnight UTC) and its date. */
export function dayFromNow(days: number): { at: Date; date: string } {
  const at = new Date(Math.floor(Date.now() / DAY) * DAY + days * DAY);
  return { at, date: at.toISOString().slice(0, 10) };
}
