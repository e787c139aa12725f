import { z } from 'zod';
import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { isBookingReference } from '@/lib/platform/ids';
import { bind, param, statement } from '@/lib/platform/sql';
import { localTimestamp, storedZone } from '@/lib/platform/time-zones';
import { beginBudget, writeTransaction } from '@/lib/platform/write-transaction';
import { outsideReasons, type Reason } from '../catalog/edit/outside';
import { snapshotOf } from '../catalog/snapshot';
import { bookingTimes } from '../local-times';
import { auditedBooking, type BookingRow, changeDeadline, priceOf } from './booking';
import type { BookingEventType } from './change';
import { maskEmail, maskName, maskPhone, type Options, openCustomer, openOptions } from './customer';
import { type OverlappingBooking, overlapsOfClaim } from './overlaps';
import { canReopen, hasBegun, type OwnerAction } from './owner-change';
import { isMovable } from './owner-reschedule';
import { BOOKING_COLUMNS, IN_REACH, READ_CONTACT } from './statements';
import { type BookingNames, NAMES_SQL, type Named, type Names, namesOf } from './summary';
import { isTestNumber } from './test-number';

/** What members see before they reveal the contact. */
type MaskedCustomer = {
  name_masked: string;
  phone_masked: string;
  email_masked: string | null;
  locale: string | null;
  has_note: boolean;
  has_metadata: boolean;
};

export type BookingDetail = ReturnType<typeof bookingTimes> &
  Pick<
    BookingRow,
    | 'reference'
    | 'status'
    | 'version'
    | 'external_reference'
    | 'cancelled_at'
    | 'cancelled_by'
    | 'cancel_reason'
    | 'consent_at'
    | 'consent_source'
    | 'consent_text_version'
    | 'consent_withdrawn_at'
    | 'created_at'
    | 'updated_at'
  > &
  BookingNames & {
    /** Null if the customer was anonymized. */
    customer: MaskedCustomer | null;
    /** The phone number may belong to a person, although this is TEST. */
    maybe_real_phone: boolean;
    /** For the partner. Null in a final state, and for a booking of the business. */
    change_deadline: Date | null;
    /** Of a seat when the booking was made. Null if none is known. */
    price: { amount: number; currency: string } | null;
    /** In the time zone of the booking, with its offset. */
    local: {
      created_at: string;
      consent_at: string;
      consent_withdrawn_at: string | null;
      change_deadline: string | null;
    };
    /** Apart from a move to another slot. */
    actions: OwnerAction[];
    movable: boolean;
    /** See `Outside` in `catalog/edit/outside.ts`. */
    outside: Reason | null;
    /** The bookings of the same specialist that overlap this one (see `overlapsOfClaim`). */
    overlaps: OverlappingBooking[];
    timeline: TimelineEntry[];
  };

const READ = statement<BookingRow & Names>()`
  SELECT ${BOOKING_COLUMNS}, ${NAMES_SQL.columns}
  FROM bookings b ${NAMES_SQL.joins}
  WHERE b.reference = ${param.text('reference')} AND b.tenant_id = ${param.text('tenantId')} AND ${IN_REACH}`;

/** Returns one of the tenant's bookings, with its history. @throws AppError not_found. */
export async function readForOwner(now: Date, tenantId: string, reference: string): Promise<BookingDetail> {
  if (!isBookingReference(reference)) throw notFound();
  const { rows } = await pool().query<BookingRow & Names>(bind(READ, { reference, tenantId }));
  const [row] = rows;
  if (!row) throw notFound();
  const customer = openCustomer(row);
  const zone = storedZone(row.time_zone);
  const deadline = row.status === 'confirmed' && row.application_id !== null ? changeDeadline(row) : null;
  return {
    ...shown(row),
    ...bookingTimes(row),
    ...namesOf(row),
    customer: customer && {
      name_masked: maskName(customer.name),
      phone_masked: maskPhone(customer.phone),
      ...maskedOptions(row),
    },
    maybe_real_phone: env().ENVIRONMENT === 'TEST' && customer !== null && !isTestNumber(customer.phone),
    price: priceOf(row),
    change_deadline: deadline,
    local: {
      created_at: localTimestamp(zone, row.created_at),
      consent_at: localTimestamp(zone, row.consent_at),
      consent_withdrawn_at: row.consent_withdrawn_at && localTimestamp(zone, row.consent_withdrawn_at),
      change_deadline: deadline && localTimestamp(zone, deadline),
    },
    actions: actionsOn(row, now),
    movable: isMovable(row),
    outside: outsideReasons(await snapshotOf(tenantId), now, [row])(row),
    overlaps: await overlapsOf(now, row),
    timeline: await timelineOf(tenantId, reference),
  };
}

function maskedOptions(row: BookingRow) {
  const { email, locale, note, metadata } = openOptions(row);
  const email_masked = email === null ? null : maskEmail(email);
  return { email_masked, locale, has_note: note !== null, has_metadata: metadata !== null };
}

async function overlapsOf(now: Date, row: BookingRow): Promise<OverlappingBooking[]> {
  if (row.claim_id === null || row.status !== 'confirmed') return [];
  return overlapsOfClaim(now, row.tenant_id, row.claim_id);
}

function shown(row: BookingRow) {
  const { reference, status, version, external_reference, created_at, updated_at } = row;
  const { consent_at, consent_source, consent_text_version, consent_withdrawn_at } = row;
  const { cancelled_at, cancelled_by, cancel_reason } = row;
  return {
    reference,
    status,
    version,
    external_reference,
    consent_at,
    consent_source,
    consent_text_version,
    consent_withdrawn_at,
    created_at,
    updated_at,
    cancelled_at,
    cancelled_by,
    cancel_reason,
  };
}

/** Contract B7. */
function actionsOn(row: BookingRow, now: Date): OwnerAction[] {
  if (row.status !== 'confirmed') return canReopen(row, now) ? ['reopen'] : [];
  return hasBegun(row, now) ? ['complete', 'no_show', 'cancel'] : ['cancel'];
}

/** The contact of a customer, with the optional fields of the booking. */
export type Contact = { name: string; phone: string } & Options;

/** Returns null if anonymized, after an audit entry is committed. @throws AppError not_found. */
export async function revealContact(
  now: Date,
  { tenantId, actor, reference }: { tenantId: string; actor: Actor; reference: string },
): Promise<Contact | null> {
  if (!isBookingReference(reference)) throw notFound();
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const [row] = await tx.query(READ_CONTACT, { reference, tenantId });
    if (!row) throw notFound();
    const customer = openCustomer(row);
    const contact = customer && { ...customer, ...openOptions(row) };
    const object = { kind: 'booking', id: reference };
    const entry = { tenantId, actor, action: 'booking.contact_viewed', object, after: auditedBooking(row) };
    if (contact) await recordInWrite(tx, now, entry);
    return contact;
  });
}

const slot = { date: z.string(), start_time: z.string(), specialist_id: z.string() };

/** Contract B11. */
const payload = z.object({
  data: z.object({
    booking: z.object({ ...slot, end_time: z.string(), time_zone: z.string(), status: z.string() }),
    previous: z.object(slot).nullable(),
  }),
});

type SlotTime = { date: string; start_time: string; specialist_name: string };

type TimelineEntry = {
  version: number;
  type: BookingEventType;
  actor: 'partner' | 'owner' | 'system';
  /** Null if a partner or the system made the change. */
  by: string | null;
  /** Of the partner's request. Null if an owner or the system made the change. */
  request_id: string | null;
  event_id: string;
  at: Date;
  /** `at` in the time zone that the booking had then, with its offset. */
  local_at: string;
  when: SlotTime & { end_time: string; time_zone: string };
  /** Before a reschedule, a change of time zone rules, or an undo; null for any other change. */
  previous: SlotTime | null;
};

type Row = Pick<TimelineEntry, 'version' | 'type' | 'actor' | 'by' | 'request_id' | 'event_id' | 'at'> & {
  payload: string;
};

// From the change's audit entry, because events contain no names.
const VERSIONS = statement<Row>()`
  SELECT e.version, e.type, e.actor, e.request_id, e.id AS event_id, e.at, e.payload, u.name AS by
  FROM events e
    LEFT JOIN audit_log g ON e.actor = 'owner' AND g.tenant_id = e.tenant_id AND g.object_id = e.booking_reference
      AND g.action = CASE e.type WHEN 'booking.updated' THEN 'booking.reopened' ELSE e.type END AND g.after->>'version' = e.version::text
    LEFT JOIN users u ON u.id = g.actor_id
  WHERE e.booking_reference = ${param.text('reference')} AND e.tenant_id = ${param.text('tenantId')}
    AND e.version IS NOT NULL
  ORDER BY e.version DESC`;

const SPECIALISTS = statement<Named>()`
  SELECT id, display_name AS name FROM specialists
  WHERE tenant_id = ${param.text('tenantId')} AND id = ANY(${param.texts('ids')})`;

async function timelineOf(tenantId: string, reference: string): Promise<TimelineEntry[]> {
  const { rows } = await pool().query<Row>(bind(VERSIONS, { reference, tenantId }));
  const entries = rows.map(({ payload: text, ...row }) => ({ row, data: payload.parse(JSON.parse(text)).data }));
  const ids = entries.flatMap(({ data }) => [data.booking.specialist_id, data.previous?.specialist_id ?? '']);
  const specialists = await pool().query<Named>(bind(SPECIALISTS, { tenantId, ids: [...new Set(ids)] }));
  const names = new Map(specialists.rows.map(({ id, name }) => [id, name]));
  const when = ({ date, start_time, specialist_id }: { date: string; start_time: string; specialist_id: string }) => ({
    date,
    start_time,
    specialist_name: names.get(specialist_id) ?? specialist_id,
  });
  return entries.map(({ row, data: { booking, previous } }) => ({
    ...row,
    local_at: localTimestamp(storedZone(booking.time_zone), row.at),
    when: { ...when(booking), end_time: booking.end_time, time_zone: booking.time_zone },
    previous: previous && when(previous),
  }));
}
