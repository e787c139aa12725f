import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { countOwnerChange } from '@/lib/activity/metrics/counters';
import type { CancelReason } from '@/lib/contract/cancel-reasons';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { isBookingReference } from '@/lib/platform/ids';
import { refusedByRules, rulesProblem } from '@/lib/platform/rules-in-force';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { auditedBooking, type BookingRow } from './booking';
import { type BookingEventType, bookingEvent, changeValues } from './change';
import { freeSeat, unavailable } from './resolve';
import { CANCEL_BOOKING, LOCK_BOOKING_OF_TENANT, SETTLE_BOOKING } from './statements';

/** By owners and the front desk (contract B7). */
export const OWNER_ACTIONS = ['cancel', 'complete', 'no_show', 'reopen'] as const;

export type OwnerAction = (typeof OWNER_ACTIONS)[number];

type Change = {
  tenantId: string;
  actor: Actor;
  reference: string;
  action: OwnerAction;
  /** As the page showed it. Null for the current version. */
  expectedVersion: number | null;
  /** Null for other actions than a cancellation. */
  cancelReason: CancelReason | null;
  /** Allows `complete` and `no_show` before the start. Only the sandbox sets it (contract B13). */
  beforeStart?: true;
  /** The business has automated the change, so the event has the actor `system`. */
  automatic?: true;
  /** Real time, if the change happens at the time of an application's clock, which can be ahead (contract B20). */
  auditedAt?: Date;
};

const OUTCOMES = { cancel: 'cancelled', complete: 'completed', no_show: 'no_show', reopen: 'confirmed' } as const;

/** For metrics and audit entries. */
const CHANGES = { ...OUTCOMES, reopen: 'reopened' } as const;

/** Milliseconds for which a completion or a no-show can be undone (contract B7). */
const REOPEN_TIME = 86_400_000;

/**
 * Cancels or completes one of the tenant's bookings, marks it as a no-show, or undoes one of the latter two, and returns its
 * new version (contract B7, contract B11). The cancellation cutoff does not apply.
 * @throws AppError not_found; version_conflict; booking_unavailable (reason `booking_not_active`) in a final state;
 * not_started for `complete` and `no_show`; not_reopenable for `reopen`; service_unavailable above the time budget, or with
 * other time zone rules in force.
 */
export async function changeByOwner(now: Date, change: Change): Promise<{ version: number }> {
  if (!isBookingReference(change.reference)) throw notFound();
  if (rulesProblem() !== null) throw refusedByRules();
  const booking = await writeTransaction(beginBudget(), change.tenantId, (tx) => applyChange(tx, now, change));
  countOwnerChange(CHANGES[change.action]);
  return { version: booking.version };
}

/** Like `changeByOwner`, in a transaction of the caller. */
export async function applyChange(tx: WriteTx, now: Date, change: Change): Promise<BookingRow> {
  const { tenantId, reference, action, expectedVersion, auditedAt = now } = change;
  const [previous] = await tx.query(LOCK_BOOKING_OF_TENANT, { reference, tenantId });
  if (!previous) throw notFound();
  if (expectedVersion !== null && previous.version !== expectedVersion) throw new AppError('version_conflict');
  refuseChange(previous, now, change);
  const row = changed(previous, now, change);
  const event = eventOf(row, previous, change);
  const values = changeValues({ row, event, at: auditedAt });
  if (action === 'cancel') {
    await tx.query(CANCEL_BOOKING, { ...values, cancelledBy: row.cancelled_by, cancelReason: row.cancel_reason });
    if (previous.claim_id) await freeSeat(tx, previous.claim_id);
  } else {
    await tx.query(SETTLE_BOOKING, { ...values, status: row.status, reopenedAt: action === 'reopen' ? now : null });
  }
  const about = auditedBooking(previous);
  await recordInWrite(tx, auditedAt, {
    tenantId,
    actor: change.actor,
    action: `booking.${CHANGES[action]}`,
    object: { kind: 'booking', id: reference },
    before: { status: previous.status, version: previous.version, ...about },
    after: {
      status: row.status,
      version: row.version,
      ...about,
      ...(row.cancel_reason && { cancel_reason: row.cancel_reason }),
    },
  });
  return row;
}

function refuseChange(previous: BookingRow, now: Date, { action, beforeStart }: Change): void {
  if (action === 'reopen') {
    if (!canReopen(previous, now)) throw new AppError('not_reopenable');
    return;
  }
  if (previous.status !== 'confirmed') throw unavailable('booking_not_active');
  if (action !== 'cancel' && !beforeStart && !hasBegun(previous, now)) throw new AppError('not_started');
}

function eventOf(row: BookingRow, previous: BookingRow, { action, automatic }: Change) {
  if (action === 'reopen')
    return bookingEvent({ type: 'booking.updated', row, previous, actor: 'owner', cause: 'reopened' });
  const type: BookingEventType = `booking.${OUTCOMES[action]}`;
  return bookingEvent({ type, row, previous: null, actor: automatic ? 'system' : 'owner' });
}

function changed(previous: BookingRow, now: Date, { action, cancelReason }: Change): BookingRow {
  const row = { ...previous, status: OUTCOMES[action], version: previous.version + 1, updated_at: now };
  if (action !== 'cancel') return row;
  return { ...row, claim_id: null, cancelled_at: now, cancelled_by: 'owner', cancel_reason: cancelReason };
}

/** Returns whether the appointment has started. Only then can it be completed or a no-show (contract B7). */
export function hasBegun(row: Pick<BookingRow, 'starts_at'>, now: Date): boolean {
  return now > row.starts_at;
}

/** Returns whether a completion or a no-show can be undone (contract B7). Nothing else changes such a booking. */
export function canReopen({ status, updated_at }: Pick<BookingRow, 'status' | 'updated_at'>, now: Date): boolean {
  return (status === 'completed' || status === 'no_show') && now.getTime() - updated_at.getTime() <= REOPEN_TIME;
}
