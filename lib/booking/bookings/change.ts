import type { Policy } from '@/lib/access/applications/policy';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import type { BOOKING_EVENT_ACTORS, BOOKING_EVENT_TYPES, UPCOMING_HOURS, UPDATE_CAUSES } from '@/lib/contract/events';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { seal } from '@/lib/platform/secrets';
import { param, statement } from '@/lib/platform/sql';
import type { Budget, WriteTx } from '@/lib/platform/write-transaction';
import { INSERT_DELIVERIES } from '@/lib/webhooks/insert';
import type { Snapshot } from '../catalog/snapshot';
import { type Identity, responseContext, type StoredSuccess } from '../idempotency/once';
import { bookingTimes } from '../local-times';
import { type BookingRow, fullRecord } from './booking';

/** A new version of a booking, and what is written in the same transaction (architecture 5). */
export type Change = {
  row: BookingRow;
  event: BookingEvent;
  /** Real time, from which its deliveries are due. By default, the time of the change. */
  at?: Date;
  /** Of a partner's change: the log entry, and the response to store for replays. */
  response?: { requestId: string; identity: Identity; logEntry: LogEntry; status: 200 | 201; data: string };
};

/** Returns the values that the SQL statement of every change needs. */
export function changeValues({ row, event, response, at = row.updated_at }: Change) {
  return {
    eventId: event.id,
    tenantId: row.tenant_id,
    applicationId: row.application_id,
    eventType: event.type,
    version: row.version,
    actor: event.actor,
    requestId: response?.requestId ?? null,
    payload: event.payload,
    now: row.updated_at,
    deliverAt: at,
    logEntries: JSON.stringify(response ? [response.logEntry] : []),
    responseStatus: response?.status ?? null,
    response: response ? seal(response.data, responseContext(response.identity)) : null,
    reference: row.reference,
    keyApplicationId: response?.identity.applicationId ?? null,
    keyHash: response?.identity.keyHash ?? null,
  };
}

/** Only the location is set while a booking is created. */
export type Resolved = Pick<BookingRow, 'location_id'> &
  Partial<
    Pick<BookingRow, 'reference' | 'service_id' | 'specialist_id' | 'external_reference' | 'date' | 'start_time'>
  >;

/** `identity` tells whether it repeats an earlier write, and `budget` limits its time. */
export type PartnerWrite = {
  policy: Policy;
  snapshot: Snapshot;
  /** The time of the application's clock (contract B20), and real time. */
  now: Date;
  at: Date;
  tenantId: string;
  requestId: string;
  identity: Identity;
  budget: Budget;
  /** Called when fields become known, for the log entry of a refused write. */
  resolved: (resolved: Resolved) => void;
  /** Committed together with the write. */
  logEntry: (status: 200 | 201, row: { reference: string; external_reference: string }) => LogEntry;
};

/** Returns a partner's change, and the response to store for replays. */
export function partnerChange(
  write: PartnerWrite,
  {
    status,
    type,
    row,
    previous,
  }: { status: 200 | 201; type: BookingEventType; row: BookingRow; previous: BookingRow | null },
): { change: Change; success: StoredSuccess } {
  const { identity, requestId, now, at } = write;
  const data = JSON.stringify({ booking: fullRecord(row, now) });
  const event = bookingEvent({ type, row, previous, actor: 'partner' });
  const response = { requestId, identity, logEntry: write.logEntry(status, row), status, data };
  const success = { status, data, originalRequestId: requestId, bookingReference: row.reference };
  return { change: { row, event, at, response }, success };
}

export type BookingEventType = (typeof BOOKING_EVENT_TYPES)[number];

/** Written in the same transaction as its booking. */
type BookingEvent = {
  id: string;
  reference: string;
  type: BookingEventType;
  /** Exactly as signed and sent. */
  payload: string;
  actor: BookingEventActor;
};

type BookingEventActor = (typeof BOOKING_EVENT_ACTORS)[number];

type Happened = {
  type: BookingEventType;
  row: BookingRow;
  previous: BookingRow | null;
  actor: BookingEventActor;
  /** Only a `booking.updated` has a cause. */
  cause?: (typeof UPDATE_CAUSES)[number];
  /** Only of a `booking.upcoming`, which is no change. */
  upcoming?: { id: string; at: Date; hours: (typeof UPCOMING_HOURS)[number] };
  /** Only of a `booking.anonymized`, which changes no version. */
  anonymized?: { id: string; at: Date };
};

/** Returns an event, also one that changes no version (contract B11). The payload contains no customer data. */
export function bookingEvent({ type, row, previous, actor, cause, upcoming, anonymized }: Happened): BookingEvent {
  const emitted = upcoming ?? anonymized;
  const id = emitted?.id ?? newId('evt');
  const { reference, external_reference, version, status, service_id, location_id, specialist_id } = row;
  const booking = {
    reference,
    external_reference,
    version,
    status,
    service_id,
    location_id,
    specialist_id,
    ...bookingTimes(row),
  };
  const payload = JSON.stringify({
    id,
    type,
    timestamp: (emitted?.at ?? row.updated_at).toISOString(),
    api_version: 'v1',
    environment: env().ENVIRONMENT,
    data: {
      booking,
      previous: previous && previousOf(previous),
      actor,
      ...(cause && { cause }),
      ...(upcoming && { hours_before: upcoming.hours }),
    },
  });
  return { id, reference, type, payload, actor };
}

function previousOf(row: BookingRow) {
  const { date, start_time, starts_at } = bookingTimes(row);
  return { date, start_time, starts_at, specialist_id: row.specialist_id };
}

const EMIT = statement<never>('events-emit')`
  WITH event AS (
    INSERT INTO events (id, tenant_id, application_id, type, booking_reference, actor, payload, at)
    SELECT given.id, ${param.text('tenantId')}, ${param.text('applicationId')}, ${param.text('eventType')}, given.reference,
      ${param.text('actor')}, given.payload, ${param.timestamptz('now')}
    FROM unnest(${param.texts('ids')}, ${param.texts('references')}, ${param.texts('payloads')})
      AS given (id, reference, payload)
    ON CONFLICT DO NOTHING RETURNING id)
  ${INSERT_DELIVERIES}`;

/**
 * Inserts events of one type that change no version, with their deliveries, unless there are any with their ids. `deliverAt` is
 * real time, and `now` that of the application's clock (contract B20).
 */
export async function emitEvents(
  tx: WriteTx,
  of: { tenantId: string; applicationId: string; now: Date; deliverAt: Date },
  events: readonly BookingEvent[],
): Promise<void> {
  const [first] = events;
  if (!first) return;
  await tx.query(EMIT, {
    ...of,
    eventType: first.type,
    actor: first.actor,
    ids: events.map(({ id }) => id),
    references: events.map(({ reference }) => reference),
    payloads: events.map(({ payload }) => payload),
  });
}
