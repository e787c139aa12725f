import type { Policy } from '@/lib/access/applications/policy';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import type { Budget } from '@/lib/platform/write-transaction';
import type { Snapshot } from '../catalog/snapshot';
import type { Identity } from '../idempotency/key';
import type { StoredSuccess } from '../idempotency/store';
import type { Records } from './change-values';
import { type BookingEventType, bookingEvent } from './event';
import { bookingRecord } from './record';
import type { BookingRow } from './row';

/** What is known so far about the booking of a write. For a new booking, only the location is set. */
export type Resolved = Pick<BookingRow, 'location_id'> &
  Partial<
    Pick<BookingRow, 'reference' | 'service_id' | 'specialist_id' | 'external_reference' | 'starts_at' | 'time_zone'>
  >;

/** A partner's write: the caller, the identity for idempotency, and the time budget. */
export type PartnerWrite = {
  policy: Policy;
  snapshot: Snapshot;
  now: Date;
  tenantId: string;
  requestId: string;
  identity: Identity;
  budget: Budget;
  /** Receives the fields of the booking, so that the log entry contains them even if the write is refused. */
  resolved: (resolved: Resolved) => void;
  /** Returns the log entry of a successful write. The entry is committed together with the write. */
  logEntry: (status: 200 | 201, row: { reference: string; external_reference: string }) => LogEntry;
};

type Change = {
  write: PartnerWrite;
  status: 200 | 201;
  type: BookingEventType;
  row: BookingRow;
  previous: BookingRow | null;
};

/** Returns the records to write together with a partner's change, and the success response to store for replays. */
export function recordsOf({ write, status, type, row, previous }: Change): {
  records: Records;
  success: StoredSuccess;
} {
  const { identity, requestId, now } = write;
  const data = JSON.stringify({ booking: bookingRecord(row, now) });
  const records: Records = {
    row,
    event: bookingEvent({ type, row, previous, actor: 'partner' }),
    requestId,
    response: { identity, logEntry: write.logEntry(status, row), status, data },
  };
  return { records, success: { status, data, originalRequestId: requestId, bookingReference: row.reference } };
}
