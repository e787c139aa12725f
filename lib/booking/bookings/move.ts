import { localDayBounds } from '@/lib/platform/time-zones';
import type { WriteTx } from '@/lib/platform/write-transaction';
import type { BookingRow } from './booking';
import { type Change, changeValues } from './change';
import {
  bookableSlot,
  claimValues,
  type FoundSlot,
  freeSeat,
  MAX_SLOT_READS,
  rankSpecialists,
  readBusyDay,
  type SlotRequest,
  slotColumns,
  takeSeat,
  unavailable,
} from './resolve';
import { RESCHEDULE_BOOKING } from './statements';

/**
 * Moves a booking to another slot of its service and location. The caller must have locked the specialists and the
 * booking, and checked its version and status.
 * Returns what `changeOf` returned for the new row.
 * @throws AppError booking_unavailable with a reason, such as `slot_taken`.
 */
export async function moveBooking<Made extends { change: Change }>(
  tx: WriteTx,
  slot: Omit<SlotRequest, 'ownClaim'>,
  previous: BookingRow,
  changeOf: (row: BookingRow) => Made,
): Promise<Made> {
  const request = { ...slot, ownClaim: previous.claim_id };
  for (let reads = 0; reads < MAX_SLOT_READS; reads += 1) {
    const found = bookableSlot(request, await readBusyDay(tx, request));
    const made = await moveTo(tx, request, previous, found, changeOf);
    if (made) return made;
  }
  throw unavailable('slot_taken');
}

/** Null if concurrent writes have taken all seats. */
async function moveTo<Made extends { change: Change }>(
  tx: WriteTx,
  { offer, body, now }: SlotRequest,
  previous: BookingRow,
  { slot, claims }: FoundSlot,
  changeOf: (row: BookingRow) => Made,
): Promise<Made | null> {
  const day = localDayBounds(offer.location.zone, body.date);
  const ranked = rankSpecialists(slot, claims, day, previous.specialist_id);
  const isSameStart = slot.startsAt * 60_000 === previous.starts_at.getTime();
  if (isSameStart && ranked[0]?.specialistId === previous.specialist_id) throw unavailable('same_slot');
  await tx.run('SAVEPOINT move');
  if (previous.claim_id) await freeSeat(tx, previous.claim_id);
  for (const specialist of ranked) {
    const row: BookingRow = {
      ...previous,
      version: previous.version + 1,
      specialist_id: specialist.specialistId,
      ...slotColumns(slot, offer.location.zone, body),
      cancellation_cutoff_minutes: offer.cancellationCutoffMinutes,
      updated_at: now,
    };
    const made = changeOf(row);
    const values = {
      ...changeValues(made.change),
      ...claimValues(row, slot, offer.service.capacity),
      cancellationCutoffMinutes: row.cancellation_cutoff_minutes,
    };
    if (await takeSeat(tx, RESCHEDULE_BOOKING, specialist, values)) return made;
  }
  // Restores the old seat. After a refusal, the transaction of a partner is still committed, because it stores the
  // idempotency key.
  await tx.run('ROLLBACK TO SAVEPOINT move');
  return null;
}
