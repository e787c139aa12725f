import { UPCOMING_HOURS } from '@/lib/contract/events';
import { pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { derivedId } from '@/lib/platform/ids';
import { bind, nullable, param, type Sql, sql, statement } from '@/lib/platform/sql';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { ACTIVE, NOT_SUSPENDED } from '@/lib/webhooks/active';
import type { BookingRow } from './booking';
import { bookingEvent, emitEvents } from './change';
import { BOOKING_COLUMNS } from './statements';

const HOUR = 3_600_000;
const BATCH = 200;
/** Maximum number of applications, and of transactions for each, in one run. The next run finds the others. */
const MAX_APPLICATIONS = 1_000;
const MAX_BATCHES = 50;

/** An application, and the seconds by which its clock is ahead. */
type Target = { tenantId: string; applicationId: string; offset: number };

const TYPE = 'booking.upcoming';
const [EARLY, LATE] = UPCOMING_HOURS;

const NOW = param.timestamptz('now');
// The clock of an application in TEST can be ahead (contract B20).
const NOW_OF_APPLICATION = sql`(${NOW} + a.clock_offset_seconds * ${param.int('clocks')} * interval '1 second')`;

// When the event became due: `LATE` hours before the start if this time has come, otherwise `EARLY` hours.
const dueAt = <Values>(now: Sql<Values>) =>
  sql`b.starts_at - CASE WHEN b.starts_at <= ${now} + ${LATE} * interval '1 hour' THEN ${LATE} ELSE ${EARLY} END * interval '1 hour'`;

/*
 * A booking has a new version with each change, so one that was made or moved after the event became due gets none: whoever
 * changed it knows the start. An event has the time at which it was emitted, which is not before it became due.
 */
const isDue = <Values>(
  now: Sql<Values>,
) => sql`b.status = 'confirmed' AND b.starts_at > ${now} AND b.starts_at <= ${now} + ${EARLY} * interval '1 hour'
  AND b.updated_at <= ${dueAt(now)} AND NOT EXISTS (
    SELECT FROM events v WHERE v.booking_reference = b.reference AND v.version IS NULL AND v.type = 'booking.upcoming' AND v.at >= ${dueAt(now)})`;

/** Whether an application that gets no such webhook can read the event (contract B16). */
const READS = sql`(${NOT_SUSPENDED} AND 'booking.manage' = ANY (a.scopes))`;

const APPLICATIONS = statement<Target>('upcoming-applications')`
  SELECT a.tenant_id AS "tenantId", a.id AS "applicationId", a.clock_offset_seconds * ${param.int('clocks')} AS "offset"
  FROM applications a LEFT JOIN webhook_endpoints e ON e.application_id = a.id
  WHERE CASE WHEN 'booking.upcoming' = ANY (e.event_types) THEN ${ACTIVE} ELSE ${READS} END
    AND (${nullable(param.text('only'))} IS NULL OR a.id = ${nullable(param.text('only'))}) AND EXISTS (
    SELECT FROM bookings b WHERE b.tenant_id = a.tenant_id AND b.application_id = a.id AND ${isDue(NOW_OF_APPLICATION)})
  ORDER BY a.id LIMIT ${MAX_APPLICATIONS}`;

// A booking that another write changes, or for which another process emits the event, is left to the next run.
const LOCK_DUE = statement<BookingRow>('upcoming-lock')`
  SELECT ${BOOKING_COLUMNS} FROM bookings b
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.application_id = ${param.text('applicationId')} AND ${isDue(sql`${NOW}`)}
  ORDER BY b.starts_at, b.reference LIMIT ${BATCH} FOR NO KEY UPDATE OF b SKIP LOCKED`;

/**
 * Emits `booking.upcoming` for the bookings that start within 24 or 2 hours, to the active endpoints that receive this type
 * (contract B11), and for applications without such an endpoint, which read them (contract B16). After a pause, emits only what
 * is still true: one event per booking, and none after the start. Several processes can do this at the same time. Returns the
 * number of bookings.
 * @param only the id of the only application, by default all
 * @throws the first error of an application, after the others
 */
export async function emitUpcoming(now: Date, signal?: AbortSignal, only: string | null = null): Promise<number> {
  const clocks = env().ENVIRONMENT === 'TEST' ? 1 : 0;
  const { rows } = await pool().query<Target>(bind(APPLICATIONS, { now, clocks, only }));
  let emitted = 0;
  const failures: unknown[] = [];
  for (const target of rows)
    try {
      for (let batch = 0; batch < MAX_BATCHES && !signal?.aborted; batch += 1) {
        const count = await writeTransaction(beginBudget(), target.tenantId, (tx) => emitBatch(tx, now, target));
        emitted += count;
        if (count < BATCH) break;
      }
    } catch (error) {
      // Others must not wait for an application whose tenant is busy.
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
  return emitted;
}

async function emitBatch(tx: WriteTx, at: Date, { tenantId, applicationId, offset }: Target): Promise<number> {
  const now = new Date(at.getTime() + offset * 1_000);
  const rows = await tx.query(LOCK_DUE, { tenantId, applicationId, now });
  if (rows.length === 0) return 0;
  const events = rows.map((row) => {
    const hours = row.starts_at.getTime() - now.getTime() <= LATE * HOUR ? LATE : EARLY;
    const dueAt = new Date(row.starts_at.getTime() - hours * HOUR);
    const id = derivedId('evt', tenantId, `${TYPE} ${row.reference} ${row.version} ${hours}`, dueAt);
    return bookingEvent({ type: TYPE, row, previous: null, actor: 'system', upcoming: { id, at: now, hours } });
  });
  await emitEvents(tx, { tenantId, applicationId, now, deliverAt: at }, events);
  return rows.length;
}
