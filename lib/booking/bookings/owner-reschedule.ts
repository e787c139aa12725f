import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { countOwnerChange } from '@/lib/activity/metrics/counters';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import { pool, readRows } from '@/lib/platform/db';
import { isBookingReference } from '@/lib/platform/ids';
import { specialistLocks } from '@/lib/platform/locks';
import { refusedByRules, rulesProblem } from '@/lib/platform/rules-in-force';
import { bind } from '@/lib/platform/sql';
import { formatDay, parseDay } from '@/lib/platform/time-zones';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { readClaims } from '../availability/claims';
import { paddedRange } from '../availability/input';
import { listSlots } from '../availability/list-slots';
import { readSharedBusy } from '../availability/shared-reads';
import { type SlotRecord, slotRecord } from '../availability/slot-json';
import { checkSlot } from '../availability/slots';
import { type Catalog, loadCatalog } from '../catalog/snapshot';
import { auditedBooking, type BookingRow } from './booking';
import { bookingEvent } from './change';
import { moveBooking } from './move';
import { type Offer, resolveReschedule, unavailable } from './resolve';
import { FIND_BOOKING_OF_TENANT, LOCK_BOOKING_OF_TENANT } from './statements';

/** On one day: one per minute. */
const MAX_SLOTS = 1_440;
/** From the first requested day on, for the next slot. */
const SEARCHED_DAYS = 31;

export type MoveSlots = {
  slots: SlotRecord[];
  specialists: { id: string; name: string }[];
  /** Null if a requested day has slots, or no later day within `SEARCHED_DAYS`. */
  next_date: string | null;
};

type Query = { tenantId: string; reference: string; date: string; specialistId: string | null };

/**
 * Returns the slots to which an owner can move a booking, on consecutive days. Its own seat counts as free.
 * @throws AppError not_found; booking_unavailable (reason `booking_not_active` or `service_unpublished`).
 */
export async function slotsForMove(
  now: Date,
  { tenantId, reference, date, days, specialistId }: Query & { days: number },
): Promise<MoveSlots> {
  const movable = await movableOffer(tenantId, reference);
  return slotsOf(now, { ...movable, date, days, specialistId });
}

type SlotsOf = {
  catalog: Catalog;
  offer: Offer;
  /** The id of the claim whose seat counts as free. Null for a new booking. */
  ownClaim: string | null;
  date: string;
  days: number;
  specialistId: string | null;
};

/** @throws AppError booking_unavailable (reason `service_unpublished`). */
export async function slotsOf(
  now: Date,
  { catalog, offer, ownClaim, date, days, specialistId }: SlotsOf,
): Promise<MoveSlots> {
  const { service, location, specialists, published } = offer;
  if (!published) throw unavailable('service_unpublished');
  const chosen = specialistId === null ? specialists : specialists.filter(({ id }) => id === specialistId);
  const query = { service, location, specialists: chosen, ownClaim, after: null, now };
  const read = async (from: string, dateTo: string, limit: number) =>
    (await listSlots(readSharedBusy, { ...query, date: from, dateTo, limit })).slots.map((slot) =>
      slotRecord(service, location, slot),
    );
  const found = await read(date, laterDay(date, days - 1), MAX_SLOTS * days);
  const following = found.length > 0 ? [] : await read(laterDay(date, days), laterDay(date, SEARCHED_DAYS), 1);
  return {
    slots: found,
    specialists: specialists.map(({ id }) => ({ id, name: catalog.specialists.get(id)?.displayName ?? '' })),
    next_date: following[0]?.date ?? null,
  };
}

type Start = Query & { startTime: string };

/**
 * Returns why an owner cannot move a booking to a start, or null. Reserves nothing.
 * @throws AppError not_found; booking_unavailable (reason `booking_not_active` or `service_unpublished`).
 */
export async function refusalOfMove(
  now: Date,
  { tenantId, reference, date, startTime, specialistId }: Start,
): Promise<ReasonOf<'booking_unavailable'> | null> {
  const { offer, ownClaim } = await movableOffer(tenantId, reference);
  const { service, location, specialists, published } = offer;
  if (!published) return 'service_unpublished';
  const range = paddedRange({ service, location, date }) ?? { from: 0, to: 0 };
  const ids = specialists.map(({ id }) => id);
  const busy = await readClaims(readRows, { specialistIds: ids, location, ...range, own: ownClaim });
  const query = { service, location, specialists, ...busy, now: now.getTime(), date, startTime, specialistId };
  const check = checkSlot(query);
  return check.ok ? null : check.reason;
}

/** `ownClaim` is the claim of the booking. @throws AppError service_unavailable if other time zone rules are in force. */
async function movableOffer(tenantId: string, reference: string) {
  if (!isBookingReference(reference)) throw notFound();
  if (rulesProblem() !== null) throw refusedByRules();
  const { rows } = await pool().query<BookingRow>(bind(FIND_BOOKING_OF_TENANT, { tenantId, reference }));
  const [row] = rows;
  if (!row) throw notFound();
  checkMovable(row);
  const catalog = await catalogOf(tenantId);
  const offer = resolveReschedule(catalog, row.service_id, row.location_id);
  return { catalog, offer, ownClaim: row.claim_id };
}

/** At most 9999-12-31. */
function laterDay(date: string, days: number): string {
  return formatDay(Math.min(parseDay(date) + days, parseDay('9999-12-31')));
}

type Move = {
  tenantId: string;
  actor: Actor;
  reference: string;
  /** As the page showed it. Null for the current version. */
  expectedVersion: number | null;
  date: string;
  startTime: string;
  /** If null, the booking keeps its specialist, or gets another one if that one is busy. */
  specialistId: string | null;
  /** Real time, if the change happens at the time of an application's clock, which can be ahead (contract B20). */
  auditedAt?: Date;
};

/**
 * Moves one of the tenant's bookings to another slot (contract B7, contract B11) and returns its new version. The
 * cancellation cutoff does not apply.
 * @throws AppError not_found; version_conflict; booking_unavailable with a reason; service_unavailable if the write
 * takes too long, or if other time zone rules are in force.
 */
export async function rescheduleByOwner(now: Date, move: Move): Promise<{ version: number }> {
  if (!isBookingReference(move.reference)) throw notFound();
  if (rulesProblem() !== null) throw refusedByRules();
  const catalog = await catalogOf(move.tenantId);
  const { version } = await writeTransaction(beginBudget(), move.tenantId, (tx) => applyMove(tx, now, move, catalog));
  countOwnerChange('rescheduled');
  return { version };
}

/** Like `rescheduleByOwner`, in a transaction of the caller. */
export async function applyMove(tx: WriteTx, now: Date, move: Move, catalog: Catalog): Promise<BookingRow> {
  const { tenantId, actor, reference, date, startTime: start_time, auditedAt = now } = move;
  const [unlocked] = await tx.query(FIND_BOOKING_OF_TENANT, { reference, tenantId });
  if (!unlocked) throw notFound();
  const offer = resolveReschedule(catalog, unlocked.service_id, unlocked.location_id);
  await tx.run(specialistLocks(lockedSpecialists(unlocked, offer)));
  const [previous] = await tx.query(LOCK_BOOKING_OF_TENANT, { reference, tenantId });
  if (!previous) throw notFound();
  if (move.expectedVersion !== null && previous.version !== move.expectedVersion)
    throw new AppError('version_conflict');
  checkMovable(previous);
  const body = { date, start_time, specialist_id: move.specialistId ?? undefined };
  const { change } = await moveBooking(tx, { offer, body, now }, previous, (moved) => {
    const event = bookingEvent({ type: 'booking.rescheduled', row: moved, previous, actor: 'owner' });
    return { change: { row: moved, event, at: auditedAt } };
  });
  await recordInWrite(tx, auditedAt, {
    tenantId,
    actor,
    action: 'booking.rescheduled',
    object: { kind: 'booking', id: reference },
    before: scheduleOf(previous),
    after: scheduleOf({ ...change.row, service_name: previous.service_name }),
  });
  return change.row;
}

function lockedSpecialists(row: BookingRow, { specialists }: Offer): string[] {
  return [row.specialist_id, ...specialists.map(({ id }) => id)];
}

function checkMovable(row: BookingRow): void {
  if (!isMovable(row)) throw unavailable('booking_not_active');
}

/** Returns whether an owner can move the booking. Retention removes its claim a week after its end. */
export function isMovable({ status, claim_id }: Pick<BookingRow, 'status' | 'claim_id'>): boolean {
  return status === 'confirmed' && claim_id !== null;
}

function scheduleOf(row: BookingRow & { service_name: string }) {
  return { version: row.version, ...auditedBooking(row), specialist_id: row.specialist_id };
}

/** Returns the tenant's catalog. @throws AppError not_found for an unknown tenant. */
export async function catalogOf(tenantId: string): Promise<Catalog> {
  const catalog = await loadCatalog(tenantId);
  if (!catalog) throw notFound();
  return catalog;
}
