import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { seal } from '@/lib/platform/crypto';
import type { Identity } from '../idempotency/key';
import { responseContext } from '../idempotency/store';
import type { BookingEvent } from './event';
import type { BookingRow } from './row';

/** A change and the records that are written in the same transaction (architecture 5). */
export type Records = {
  row: BookingRow;
  event: BookingEvent;
  requestId: string | null;
  /** Real time, from which its deliveries are due. By default, the time of the change. */
  at?: Date;
  /** The log entry, and the response to store for replays. Null for a change by an owner. */
  response: { identity: Identity; logEntry: LogEntry; status: 200 | 201; data: string } | null;
};

/** Returns the values that the SQL statement of every change needs. */
export function changeValues({ row, event, requestId, response, at = row.updated_at }: Records) {
  return {
    eventId: event.id,
    tenantId: row.tenant_id,
    applicationId: row.application_id,
    eventType: event.type,
    version: row.version,
    actor: event.actor,
    requestId,
    payload: event.payload,
    now: row.updated_at,
    deliverAt: at,
    logEntries: JSON.stringify(response ? [response.logEntry] : []),
    responseStatus: response?.status ?? null,
    response: response && seal(response.data, responseContext(response.identity)),
    reference: row.reference,
    keyApplicationId: response?.identity.applicationId ?? null,
    keyHash: response?.identity.keyHash ?? null,
  };
}
