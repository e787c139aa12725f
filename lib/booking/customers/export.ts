import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { notFound } from '@/lib/contract/errors/app-error';
import { env } from '@/lib/platform/env';
import { param, statement } from '@/lib/platform/sql';
import { beginBudget, writeTransaction } from '@/lib/platform/write-transaction';
import { type BookingRow, priceOf } from '../bookings/booking';
import { openCustomer, openOptions } from '../bookings/customer';
import { BOOKING_COLUMNS } from '../bookings/statements';
import { NAMES_SQL, type Names } from '../bookings/summary';
import { bookingTimes } from '../local-times';
import type { FoundBy } from './erasure';

/** Of each kind, over all bookings. A list that reaches it is not complete, which the export states. */
const MAX_ENTRIES = 10_000;

const BOOKINGS = statement<BookingRow & Names>()`
  SELECT ${BOOKING_COLUMNS}, ${NAMES_SQL.columns} FROM bookings b ${NAMES_SQL.joins}
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.reference = ANY(${param.texts('references')})
  ORDER BY b.starts_at, b.reference`;

type Entry<Rest> = { reference: string; at: Date } & Rest;

/** An event, and whether a webhook brought it to the partner: null if none was sent. */
type EventEntry = Entry<{ type: string; version: number | null; actor: string; webhook: string | null }>;

const EVENTS = statement<EventEntry>()`
  SELECT v.booking_reference AS reference, v.at, v.type, v.version, v.actor, d.state AS webhook
  FROM events v LEFT JOIN deliveries d ON d.event_id = v.id
  WHERE v.tenant_id = ${param.text('tenantId')} AND v.booking_reference = ANY(${param.texts('references')})
  ORDER BY v.at, v.id LIMIT ${MAX_ENTRIES}`;

type RequestEntry = Entry<{ request_id: string; method: string; route: string | null; status: number }>;

const REQUESTS = statement<RequestEntry>()`
  SELECT r.booking_reference AS reference, r.at, r.request_id, r.method, r.route, r.status FROM request_log r
  WHERE r.tenant_id = ${param.text('tenantId')} AND r.booking_reference = ANY(${param.texts('references')})
  ORDER BY r.request_id LIMIT ${MAX_ENTRIES}`;

type ResponseEntry = { reference: string; created_at: Date; expires_at: Date };

// The application of a tenant, because idempotency keys have no tenant of their own.
const RESPONSES = statement<ResponseEntry>()`
  SELECT k.booking_reference AS reference, k.created_at, k.expires_at
  FROM idempotency_keys k JOIN applications a ON a.id = k.application_id
  WHERE a.tenant_id = ${param.text('tenantId')} AND k.booking_reference = ANY(${param.texts('references')})
    AND k.response IS NOT NULL
  ORDER BY k.created_at, k.booking_reference LIMIT ${MAX_ENTRIES}`;

// Without the names of members, who are persons too.
const CHANGES = statement<Entry<{ action: string; actor: string }>>()`
  SELECT g.object_id AS reference, g.at, g.action, g.actor_kind AS actor FROM audit_log g
  WHERE g.tenant_id = ${param.text('tenantId')} AND g.object_kind = 'booking' AND g.object_id = ANY(${param.texts('references')})
  ORDER BY g.at, g.id LIMIT ${MAX_ENTRIES}`;

const BUSINESS = statement<{ name: string; contact_days: number | null }>()`
  SELECT name, contact_days FROM tenants WHERE id = ${param.text('tenantId')}`;

/** The format of the export. Its number rises with every change that a reader would notice. */
const CUSTOMER_FORMAT = 'partner-booking-customer/1';

type Request = { tenantId: string; actor: Actor; foundBy: FoundBy; references: readonly string[] };

/** Commits an audit entry first. @throws AppError not_found if a booking does not exist. */
export async function exportCustomer(now: Date, { tenantId, actor, foundBy, references }: Request) {
  const chosen = [...new Set(references)];
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const values = { tenantId, references: chosen };
    const [rows, events, requests, responses, changes, [business]] = await Promise.all([
      tx.query(BOOKINGS, values),
      tx.query(EVENTS, values),
      tx.query(REQUESTS, values),
      tx.query(RESPONSES, values),
      tx.query(CHANGES, values),
      tx.query(BUSINESS, { tenantId }),
    ]);
    if (rows.length < chosen.length || !business) throw notFound();
    const object = { kind: 'tenant', id: tenantId };
    const after = { found_by: foundBy, bookings: rows.length };
    await recordInWrite(tx, now, { tenantId, actor, action: 'customer.exported', object, after });
    const lists = { events, requests, stored_responses: responses, changes };
    return {
      format: CUSTOMER_FORMAT,
      exported_at: now.toISOString(),
      environment: env().ENVIRONMENT,
      business: business.name,
      /** Days after the appointment. Null: forever. */
      contact_kept_days: business.contact_days,
      complete: Object.values(lists).every((list) => list.length < MAX_ENTRIES),
      bookings: rows.map((row) => ({
        ...bookingOf(row),
        history: ofBooking(events, row).map(({ at, ...event }) => ({ at: at.toISOString(), ...event })),
        requests: ofBooking(requests, row).map(({ at, ...request }) => ({ at: at.toISOString(), ...request })),
        stored_responses: ofBooking(responses, row).map(({ created_at, expires_at }) => ({
          created_at: created_at.toISOString(),
          expires_at: expires_at.toISOString(),
        })),
        changes: ofBooking(changes, row).map(({ at, ...change }) => ({ at: at.toISOString(), ...change })),
      })),
    };
  });
}

function ofBooking<T extends { reference: string }>(entries: readonly T[], row: BookingRow): Omit<T, 'reference'>[] {
  return entries.filter(({ reference }) => reference === row.reference).map(({ reference: _, ...rest }) => rest);
}

const iso = (at: Date | null) => at?.toISOString() ?? null;

function bookingOf(row: BookingRow & Names) {
  const { date, start_time, end_time, time_zone } = bookingTimes(row);
  return {
    reference: row.reference,
    status: row.status,
    version: row.version,
    date,
    start_time,
    end_time,
    time_zone,
    service: row.service_name,
    specialist: row.specialist_name,
    location: row.location_name,
    /** The recipient of the booking. Null: the business itself made it. */
    partner: row.application_name,
    partner_reference: row.external_reference,
    price: priceOf(row),
    customer: openCustomer(row),
    ...openOptions(row),
    consent: {
      given_at: row.consent_at.toISOString(),
      source: row.consent_source,
      text_version: row.consent_text_version,
      withdrawn_at: iso(row.consent_withdrawn_at),
    },
    cancelled_at: iso(row.cancelled_at),
    cancelled_by: row.cancelled_by,
    cancel_reason: row.cancel_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
