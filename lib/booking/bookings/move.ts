import { localDayBounds } from '@/lib/platform/time-zones';
import type { WriteTx } from '@/lib/platform/write-transaction';

import { bookableSlot, type FoundSlot, MAX_SLOT_READS, readBusyDay, type SlotRequest } from './bookable-slot';
import { changeValues, type Records } from './change-values';
import { unavailable } from './resolve';
import type { BookingRow } from './row';
import { claimValues, freeSeat, rankSpecialists, type SeatRow, slotColumns, takeSeat } from './seats';
import { RESCHEDULE_BOOKING } from './statements';

type RecordsOf<T> = (row: BookingRow) => { records: Records; result: T };

/**
 * Moves a booking to another slot of its service and location. The caller must have locked the specialists and the
 * booking, and checked its version and status.
 * @throws AppError booking_unavailable with a reason, such as `slot_taken`.
 */
export async function moveBooking<T>(
  tx: WriteTx,
  slot: Omit<SlotRequest, 'ownClaim'>,
  previous: BookingRow,
  recordsOf: RecordsOf<T>,
): Promise<T> {
  const request = { ...slot, ownClaim: previous.claim_id };
  for (let reads = 0; reads < MAX_SLOT_READS; reads += 1) {
    const found = bookableSlot(request, await readBusyDay(tx, request));
    const moved = await moveTo(tx, request, previous, found, recordsOf);
    if (moved) return moved.result;
  }
  throw unavailable('slot_taken');
}

/** Null if concurrent writes have taken all seats. */
async function moveTo<T>(
  tx: WriteTx,
  { offer, body, now }: SlotRequest,
  previous: BookingRow,
  { slot, claims }: FoundSlot,
  recordsOf: RecordsOf<T>,
): Promise<{ result: T } | null> {
  const day = localDayBounds(offer.location.zone, body.date);
  const ranked = rankSpecialists(slot, claims, day, previous.specialist_id);
  const isSameStart = slot.startsAt * 60_000 === previous.starts_at.getTime();
  if (isSameStart && ranked[0]?.specialistId === previous.specialist_id) throw unavailable('same_slot');
  await tx.run('SAVEPOINT move');
  if (previous.claim_id) await freeSeat(tx, previous.claim_id);
  for (const specialist of ranked) {
    const row: SeatRow = {
      ...previous,
      version: previous.version + 1,
      specialist_id: specialist.specialistId,
      ...slotColumns(slot, offer.location.zone, body),
      cancellation_cutoff_minutes: offer.cancellationCutoffMinutes,
      updated_at: now,
    };
    const { records, result } = recordsOf(row);
    const values = {
      ...changeValues(records),
      ...claimValues(row, slot, offer.service.capacity),
      cancellationCutoffMinutes: row.cancellation_cutoff_minutes,
    };
    if (await takeSeat(tx, RESCHEDULE_BOOKING, specialist, values)) return { result };
  }
  // Restores the old seat. After a refusal, the transaction of a partner is still committed, because it stores the
  // idempotency key.
  await tx.run('ROLLBACK TO SAVEPOINT move');
  return null;
}
