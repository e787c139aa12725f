import { z } from 'zod';
import { pool } from '@/lib/platform/db';
import type { BookingEventType } from './event';

const moment = { date: z.string(), start_time: z.string(), specialist_id: z.string() };

/** What the timeline reads of an event's payload (contract B11). */
const payload = z.object({
  data: z.object({
    booking: z.object({ ...moment, end_time: z.string(), time_zone: z.string(), status: z.string() }),
    previous: z.object(moment).nullable(),
  }),
});

type When = { date: string; start_time: string; specialist_name: string };

/** One version of a booking: what became of it, through whom. */
export type TimelineEntry = {
  version: number;
  type: BookingEventType;
  actor: 'partner' | 'owner' | 'system';
  /** The owner's name. */
  by: string | null;
  /** The partner's request. */
  request_id: string | null;
  event_id: string;
  at: Date;
  when: When & { end_time: string; time_zone: string };
  /** Only of a reschedule. */
  previous: When | null;
};

type Row = Pick<TimelineEntry, 'version' | 'type' | 'actor' | 'by' | 'request_id' | 'event_id' | 'at'> & {
  payload: string;
};

// An owner's version is one audit line too, which says whose it is.
const TIMELINE = `
  SELECT e.version, e.type, e.actor, e.request_id, e.id AS event_id, e.at, e.payload, u.name AS by
  FROM events e
    LEFT JOIN audit_log g ON e.actor = 'owner' AND g.tenant_id = e.tenant_id AND g.object_id = e.booking_reference
      AND g.action = e.type AND g.after->>'version' = e.version::text
    LEFT JOIN users u ON u.id = g.actor_id
  WHERE e.booking_reference = $1 AND e.tenant_id = $2
  ORDER BY e.version DESC`;

/** Returns the versions of a booking of the tenant, newest first. */
export async function timelineOf(tenantId: string, reference: string): Promise<TimelineEntry[]> {
  const { rows } = await pool().query<Row>(TIMELINE, [reference, tenantId]);
  const entries = rows.map(({ payload: text, ...row }) => ({ row, data: payload.parse(JSON.parse(text)).data }));
  const ids = entries.flatMap(({ data }) => [data.booking.specialist_id, data.previous?.specialist_id ?? '']);
  const specialists = await pool().query<{ id: string; display_name: string }>(
    'SELECT id, display_name FROM specialists WHERE tenant_id = $1 AND id = ANY($2)',
    [tenantId, [...new Set(ids)]],
  );
  const names = new Map(specialists.rows.map(({ id, display_name }) => [id, display_name]));
  const when = ({ date, start_time, specialist_id }: { date: string; start_time: string; specialist_id: string }) => ({
    date,
    start_time,
    specialist_name: names.get(specialist_id) ?? specialist_id,
  });
  return entries.map(({ row, data: { booking, previous } }) => ({
    ...row,
    when: { ...when(booking), end_time: booking.end_time, time_zone: booking.time_zone },
    previous: previous && when(previous),
  }));
}
