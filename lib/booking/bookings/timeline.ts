import { z } from 'zod';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { localTimestamp, storedZone } from '@/lib/platform/time-zones';
import type { BookingEventType } from './event';
import type { Named } from './names';

const slot = { date: z.string(), start_time: z.string(), specialist_id: z.string() };

/** Contract B11. */
const payload = z.object({
  data: z.object({
    booking: z.object({ ...slot, end_time: z.string(), time_zone: z.string(), status: z.string() }),
    previous: z.object(slot).nullable(),
  }),
});

type SlotTime = { date: string; start_time: string; specialist_name: string };

/** The change that led to a version, and its author. */
export type TimelineEntry = {
  version: number;
  type: BookingEventType;
  actor: 'partner' | 'owner' | 'system';
  /** Null if a partner or the system made the change. */
  by: string | null;
  /** Of the partner's request. Null if an owner or the system made the change. */
  request_id: string | null;
  event_id: string;
  at: Date;
  /** `at` in the time zone that the booking had then, with its offset. */
  local_at: string;
  when: SlotTime & { end_time: string; time_zone: string };
  /** Before a reschedule, a change of time zone rules, or an undo; null for any other change. */
  previous: SlotTime | null;
};

type Row = Pick<TimelineEntry, 'version' | 'type' | 'actor' | 'by' | 'request_id' | 'event_id' | 'at'> & {
  payload: string;
};

// From the change's audit entry, because events contain no names.
const VERSIONS = statement<Row>()`
  SELECT e.version, e.type, e.actor, e.request_id, e.id AS event_id, e.at, e.payload, u.name AS by
  FROM events e
    LEFT JOIN audit_log g ON e.actor = 'owner' AND g.tenant_id = e.tenant_id AND g.object_id = e.booking_reference
      AND g.action = CASE e.type WHEN 'booking.updated' THEN 'booking.reopened' ELSE e.type END AND g.after->>'version' = e.version::text
    LEFT JOIN users u ON u.id = g.actor_id
  WHERE e.booking_reference = ${param.text('reference')} AND e.tenant_id = ${param.text('tenantId')}
    AND e.version IS NOT NULL
  ORDER BY e.version DESC`;

const SPECIALISTS = statement<Named>()`
  SELECT id, display_name AS name FROM specialists
  WHERE tenant_id = ${param.text('tenantId')} AND id = ANY(${param.texts('ids')})`;

/** Returns all versions of one of the tenant's bookings, newest first. */
export async function timelineOf(tenantId: string, reference: string): Promise<TimelineEntry[]> {
  const { rows } = await pool().query<Row>(bind(VERSIONS, { reference, tenantId }));
  const entries = rows.map(({ payload: text, ...row }) => ({ row, data: payload.parse(JSON.parse(text)).data }));
  const ids = entries.flatMap(({ data }) => [data.booking.specialist_id, data.previous?.specialist_id ?? '']);
  const specialists = await pool().query<Named>(bind(SPECIALISTS, { tenantId, ids: [...new Set(ids)] }));
  const names = new Map(specialists.rows.map(({ id, name }) => [id, name]));
  const when = ({ date, start_time, specialist_id }: { date: string; start_time: string; specialist_id: string }) => ({
    date,
    start_time,
    specialist_name: names.get(specialist_id) ?? specialist_id,
  });
  return entries.map(({ row, data: { booking, previous } }) => ({
    ...row,
    local_at: localTimestamp(storedZone(booking.time_zone), row.at),
    when: { ...when(booking), end_time: booking.end_time, time_zone: booking.time_zone },
    previous: previous && when(previous),
  }));
}
