import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { countOwnerChange } from '@/lib/activity/metrics/counters';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { isBookingReference } from '@/lib/platform/ids';
import { tenantLock } from '@/lib/platform/locks';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { CANCEL } from './cancel';
import { type BookingEventType, bookingEvent } from './event';
import { unavailable } from './resolve';
import { BOOKING_COLUMNS, type BookingRow } from './row';
import { freeSeat } from './seats';
import { changeStatement, FIRST_OWN, runChange } from './write';

/** What an owner can do with a booking (contract B7). */
export const OWNER_ACTIONS = ['cancel', 'complete', 'no_show'] as const;

/** One of the owner's actions. */
export type OwnerAction = (typeof OWNER_ACTIONS)[number];

/** Why a booking is cancelled, as the contract knows it (B7). */
export const CANCEL_REASONS = ['customer_request', 'duplicate', 'other'] as const;

type Change = {
  tenantId: string;
  actor: Actor;
  reference: string;
  action: OwnerAction;
  /** The version that the owner saw. */
  expectedVersion: number;
  /** Of a cancellation. */
  cancelReason: (typeof CANCEL_REASONS)[number] | null;
};

const OUTCOMES = { cancel: 'cancelled', complete: 'completed', no_show: 'no_show' } as const;

const LOCK = {
  name: 'booking-owner-lock',
  text: `SELECT ${BOOKING_COLUMNS} FROM bookings WHERE reference = $1 AND tenant_id = $2 FOR UPDATE`,
};

// The seat stays taken: only cancel and reschedule free one (contract B7).
const SETTLE = changeStatement(
  'booking-settle',
  `booking AS (
      UPDATE bookings SET status = $${FIRST_OWN}::text::"BookingStatus", version = $5::int, updated_at = $9::timestamptz
      WHERE reference = $13::text RETURNING reference)`,
);

/**
 * Cancels a booking of the tenant, completes it or marks it as no-show, and returns its new version. Made by the same
 * statement as a partner's change: one event, one version (contract B7, B11). The partner's cut-off does not bind the
 * owner.
 * @throws AppError not_found; version_conflict when the booking has changed since; booking_unavailable
 *   `booking_not_active` in a final state; not_started when its time is still ahead; service_unavailable.
 */
export async function changeByOwner(now: Date, change: Change): Promise<{ version: number }> {
  if (!isBookingReference(change.reference)) throw notFound();
  const changed = await writeTransaction(beginBudget(), tenantLock(change.tenantId), (tx) => apply(tx, now, change));
  countOwnerChange(OUTCOMES[change.action]);
  return changed;
}

async function apply(tx: WriteTx, now: Date, change: Change): Promise<{ version: number }> {
  const { tenantId, reference, action, expectedVersion } = change;
  const [previous] = await tx.query<BookingRow>(LOCK, [reference, tenantId]);
  if (!previous) throw notFound();
  if (previous.version !== expectedVersion) throw new AppError('version_conflict');
  if (previous.status !== 'confirmed') throw unavailable('booking_not_active');
  if (action !== 'cancel' && !hasBegun(previous, now)) throw new AppError('not_started');
  const row = changed(previous, now, change);
  const type: BookingEventType = `booking.${OUTCOMES[action]}`;
  const event = bookingEvent({ type, row, previous: null, actor: 'owner' });
  const records = { row, event, requestId: null, answer: null };
  if (action === 'cancel') {
    await runChange(tx, CANCEL, records, [row.cancelled_by, row.cancel_reason]);
    if (previous.claim_id) await freeSeat(tx, previous.claim_id);
  } else {
    await runChange(tx, SETTLE, records, [row.status]);
  }
  await recordInWrite(tx, now, {
    tenantId,
    actor: change.actor,
    action: type,
    object: { kind: 'booking', id: reference },
    before: { status: previous.status, version: previous.version },
    after: {
      status: row.status,
      version: row.version,
      ...(row.cancel_reason && { cancel_reason: row.cancel_reason }),
    },
  });
  return { version: row.version };
}

function changed(previous: BookingRow, now: Date, { action, cancelReason }: Change): BookingRow {
  const row = { ...previous, status: OUTCOMES[action], version: previous.version + 1, updated_at: now };
  if (action !== 'cancel') return row;
  return { ...row, claim_id: null, cancelled_at: now, cancelled_by: 'owner', cancel_reason: cancelReason };
}

/** Tells whether a booking can be completed or marked as no-show: after its start (contract B7). */
export function hasBegun(row: Pick<BookingRow, 'starts_at'>, now: Date): boolean {
  return now > row.starts_at;
}
