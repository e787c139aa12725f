import type { z } from 'zod';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import type { ownerActionBody } from '@/lib/contract/sandbox';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookingRow, fullRecord } from '../bookings/booking';
import type { PartnerWrite } from '../bookings/change';
import { findInWrite } from '../bookings/find';
import { applyChange } from '../bookings/owner-change';
import { applyMove } from '../bookings/owner-reschedule';
import { unavailable } from '../bookings/resolve';
import { refuseStale } from '../catalog/snapshot';
import { type Outcome, storeSuccess, writeOnce } from '../idempotency/once';

type Body = z.output<typeof ownerActionBody>;

/**
 * Changes a booking of the calling application as the owner would (contract B20), or replays that (contract B8).
 * @throws AppError not_found, which names the field, or credential_restricted as in `findBooking`; booking_unavailable with its reason.
 */
export async function runOwnerAction(write: PartnerWrite, body: Body): Promise<Outcome> {
  const { policy, requestId, identity, now } = write;
  return writeOnce(write, {
    read: async (tx) => {
      const found = findInWrite(tx, policy, body.reference, 'reference');
      return (await Promise.all([refuseStale(tx, write.snapshot), found]))[1];
    },
    change: async (tx, booking) => {
      write.resolved(booking);
      const row = await act(tx, write, body);
      const data = JSON.stringify({ booking: fullRecord(row, now) });
      const logEntry: LogEntry = write.logEntry(200, row);
      return storeSuccess(tx, { identity, requestId, logEntry, data, bookingReference: row.reference });
    },
  });
}

async function act(tx: WriteTx, write: PartnerWrite, { reference, action, ...start }: Body): Promise<BookingRow> {
  const { policy, snapshot, now, at, tenantId } = write;
  const actor = { kind: 'application', id: policy.applicationId } as const;
  const change = { tenantId, actor, reference, expectedVersion: null, auditedAt: at };
  if (action !== 'reschedule')
    try {
      return await applyChange(tx, now, { ...change, action, cancelReason: null });
    } catch (error) {
      if (error instanceof AppError && (error.code === 'not_started' || error.code === 'not_reopenable'))
        throw unavailable(error.code);
      throw error;
    }
  const { date = '', start_time: startTime = '', specialist_id: specialistId = null } = start;
  if (specialistId !== null && !snapshot.specialists.has(specialistId)) throw notFound('specialist_id');
  return applyMove(tx, now, { ...change, date, startTime, specialistId }, snapshot);
}
