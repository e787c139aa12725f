import type { Policy } from '@/lib/access/applications/policy';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import type { Budget } from '@/lib/platform/write-transaction';
import type { Snapshot } from '../catalog/snapshot';
import type { Identity } from '../idempotency/key';
import type { StoredSuccess } from '../idempotency/store';
import type { Records } from './change-values';
import { type BookingEventType, bookingEvent } from './event';
import { fullRecord } from './record';
import type { BookingRow } from './row';

/** Only the location is set while a booking is created. */
export type Resolved = Pick<BookingRow, 'location_id'> &
  Partial<
    Pick<
      BookingRow,
      | 'reference'
      | 'service_id'
      | 'specialist_id'
      | 'external_reference'
      | 'starts_at'
      | 'time_zone'
      | 'date'
      | 'start_time'
    >
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

type Change = {
  write: PartnerWrite;
  status: 200 | 201;
  type: BookingEventType;
  row: BookingRow;
  previous: BookingRow | null;
};

/** Returns the records to write together with a partner's change, and the response to store for replays. */
export function recordsOf({ write, status, type, row, previous }: Change): {
  records: Records;
  success: StoredSuccess;
} {
  const { identity, requestId, now } = write;
  const data = JSON.stringify({ booking: fullRecord(row, now) });
  const records: Records = {
    row,
    event: bookingEvent({ type, row, previous, actor: 'partner' }),
    requestId,
    at: write.at,
    response: { identity, logEntry: write.logEntry(status, row), status, data },
  };
  return { records, success: { status, data, originalRequestId: requestId, bookingReference: row.reference } };
}
