import { INSERT_LOG_ENTRIES } from '@/lib/activity/request-log/insert';
import { nullable, param, sql, statement } from '@/lib/platform/sql';
import { INSERT_DELIVERIES } from '@/lib/webhooks/insert';
import { LOCAL_COLUMNS, LOCAL_START } from '../local-times';
import type { BookingRow } from './booking';

export const BOOKING_COLUMNS = sql`${LOCAL_COLUMNS}, b.reference, b.tenant_id, b.application_id, b.claim_id, b.status, b.version,
  b.service_id, b.location_id, b.specialist_id, b.starts_at, b.ends_at, b.time_zone, b.cancellation_cutoff_minutes,
  b.price_amount, b.price_currency, b.external_reference, b.consent_at, b.consent_source, b.consent_text_version,
  b.consent_withdrawn_at, b.customer_name, b.customer_phone, b.customer_email, b.customer_locale, b.note, b.metadata,
  b.cancelled_at, b.cancelled_by,
  b.cancel_reason, b.created_at, b.updated_at`;

/**
 * Hides bookings `b` of other tenants (`inTenant`), because `bookings` has no row-level security policy for reads
 * (decision 27). A join to a table with a policy would lock both tables, and could deadlock with a migration.
 */
export const IN_LIMIT = sql`coalesce(nullif(current_setting('partner_booking.tenant', true), ''), b.tenant_id) = b.tenant_id`;

const REACH = sql`nullif(current_setting('partner_booking.locations', true), '')`;

/** Hides bookings `b` of locations that the member does not reach (`inControlCenter`). */
export const IN_REACH = sql`((SELECT ${REACH} IS NULL) OR b.location_id = ANY ((SELECT string_to_array(${REACH}, ','))::text[]))`;

const OF_APPLICATION = sql`SELECT ${BOOKING_COLUMNS} FROM bookings b
  WHERE b.reference = ${param.text('reference')} AND b.application_id = ${param.text('applicationId')} AND ${IN_LIMIT}`;

export const FIND_BOOKING = statement<BookingRow>('booking-find')`${OF_APPLICATION}`;

export const LOCK_BOOKING = statement<BookingRow>('booking-lock')`${OF_APPLICATION} FOR UPDATE`;

/**
 * Newest first, after a position. The letter case must match. `lower` only lets PostgreSQL use the index, which
 * contains the references in lower case. `IN_LIMIT` is outside of the subquery, so that only one page of bookings is
 * read.
 */
export const FIND_BY_EXTERNAL_REFERENCE = statement<BookingRow>('bookings-of-reference')`
  SELECT b.* FROM (
    SELECT ${BOOKING_COLUMNS} FROM bookings b
    WHERE b.tenant_id = ${param.text('tenantId')} AND b.external_reference = ${param.text('externalReference')}
      AND lower(b.external_reference) = lower(${param.text('externalReference')}) AND b.application_id = ${param.text('applicationId')}
      AND (b.created_at, b.reference) < (${param.timestamptzText('at')}, ${param.text('reference')})
    ORDER BY b.created_at DESC, b.reference DESC LIMIT ${param.int('rows')}) b
  WHERE ${IN_LIMIT} ORDER BY b.created_at DESC, b.reference DESC`;

export const FIND_BOOKING_OF_TENANT = statement<BookingRow>('booking-owner-find')`
  SELECT ${BOOKING_COLUMNS} FROM bookings b
  WHERE b.reference = ${param.text('reference')} AND b.tenant_id = ${param.text('tenantId')} AND ${IN_LIMIT} AND ${IN_REACH}`;

/** In the tenant's default language, for audit entries. */
export const SERVICE_NAME = sql`(SELECT coalesce(s.name->>t.default_locale, s.id)
  FROM services s JOIN tenants t ON t.id = s.tenant_id WHERE s.id = b.service_id) AS service_name`;

export const LOCK_BOOKING_OF_TENANT = statement<BookingRow & { service_name: string }>('booking-owner-lock')`
  SELECT ${BOOKING_COLUMNS}, ${SERVICE_NAME} FROM bookings b
  WHERE b.reference = ${param.text('reference')} AND b.tenant_id = ${param.text('tenantId')} AND ${IN_LIMIT} AND ${IN_REACH} FOR UPDATE`;

type ContactRow = Pick<
  BookingRow,
  | 'reference'
  | 'customer_name'
  | 'customer_phone'
  | 'customer_email'
  | 'customer_locale'
  | 'note'
  | 'metadata'
  | 'starts_at'
  | 'time_zone'
  | 'date'
  | 'start_time'
> & { service_name: string };

export const READ_CONTACT = statement<ContactRow>('booking-contact')`
  SELECT ${LOCAL_START}, b.reference, b.customer_name, b.customer_phone, b.customer_email, b.customer_locale,
    b.note, b.metadata, b.starts_at, b.time_zone, ${SERVICE_NAME}
  FROM bookings b
  WHERE b.reference = ${param.text('reference')} AND b.tenant_id = ${param.text('tenantId')} AND ${IN_LIMIT} AND ${IN_REACH}`;

/*
 * Each change is one statement. If another write has just taken the seat, the CTE `booking` returns no row, so
 * `RECORDS` write nothing.
 */

type Changed = { reference: string };

/** The event, deliveries, log entry, and stored response (architecture 5). */
const RECORDS = sql`
  event AS (
    INSERT INTO events (id, tenant_id, application_id, type, booking_reference, version, actor, request_id, payload, at)
    SELECT ${param.text('eventId')}, ${param.text('tenantId')}, ${nullable(param.text('applicationId'))},
      ${param.text('eventType')}, booking.reference, ${param.int('version')}, ${param.text('actor')},
      ${nullable(param.text('requestId'))}, ${param.text('payload')}, ${param.timestamptz('now')}
    FROM booking RETURNING id),
  delivery AS (
    ${INSERT_DELIVERIES} RETURNING id),
  log_entry AS (
    ${INSERT_LOG_ENTRIES} WHERE EXISTS (SELECT FROM booking) RETURNING request_id),
  stored_response AS (
    UPDATE idempotency_keys SET status = ${nullable(param.smallint('responseStatus'))},
      response = ${nullable(param.bytea('response'))}, booking_reference = ${param.text('reference')},
      request_id = ${nullable(param.text('requestId'))}
    WHERE application_id = ${nullable(param.text('keyApplicationId'))} AND key_hash = ${nullable(param.bytea('keyHash'))}
      AND EXISTS (SELECT FROM booking) RETURNING 1)`;

const CHANGED = sql`SELECT reference FROM booking`;

// Fails with `SEAT_TAKEN` if no booking was changed. A COMMIT in the same round trip then rolls back.
const CHANGED_OR_FAILED = sql`SELECT require_change(count(*)) FROM booking`;

const CLAIMED_RANGE = sql`tstzrange(${param.timestamptz('claimedFrom')}, ${param.timestamptz('claimedTo')})`;

// Without ON CONFLICT DO NOTHING, two transactions with overlapping claims of a specialist could deadlock.
const NEW_CLAIM = sql`claim AS (
    INSERT INTO slot_claims (id, tenant_id, specialist_id, service_id, location_id, starts_at, ends_at, during, capacity, taken)
    VALUES (${param.uuid('claimId')}, ${param.text('tenantId')}, ${param.text('specialistId')},
      ${param.text('serviceId')}, ${param.text('locationId')}, ${param.timestamptz('startsAt')},
      ${param.timestamptz('endsAt')}, ${CLAIMED_RANGE}, ${param.int('capacity')}, 1)
    ON CONFLICT DO NOTHING RETURNING id)`;

// Exactly this service, location, start, and range.
const OPEN_CLAIM = sql`claim AS (
    UPDATE slot_claims SET taken = taken + 1
    WHERE tenant_id = ${param.text('tenantId')} AND specialist_id = ${param.text('specialistId')}
      AND service_id = ${param.text('serviceId')} AND location_id = ${param.text('locationId')}
      AND starts_at = ${param.timestamptz('startsAt')} AND ends_at = ${param.timestamptz('endsAt')}
      AND during = ${CLAIMED_RANGE} AND taken < capacity
    RETURNING id)`;

// Includes the rules with which the local times agree with the instants.
const LOCAL_VALUES = sql`${param.date('date')}, ${param.time('startTime')}, ${param.date('endDate')},
      ${param.time('endTime')}, ${param.text('zoneRules')}`;

// Servers of version 0.1.0 derive the local times again if `local_version` is another version.
const NEW_VERSION = sql`version = ${param.int('version')}, local_version = ${param.int('version')}`;

const CREATED = sql`booking AS (
    INSERT INTO bookings (reference, tenant_id, source, application_id, claim_id, service_id, location_id, specialist_id,
      starts_at, ends_at, time_zone, date, start_time, end_date, end_time, zone_rules, local_version,
      cancellation_cutoff_minutes,
      price_amount, price_currency, external_reference, consent_at, consent_source, consent_text_version, customer_name,
      customer_phone, customer_email, customer_locale, note, metadata, phone_hash, name_hashes, created_at, updated_at)
    SELECT ${param.text('reference')}, ${param.text('tenantId')}, ${param.text('source')}::"BookingSource",
      ${nullable(param.text('applicationId'))}, claim.id,
      ${param.text('serviceId')}, ${param.text('locationId')}, ${param.text('specialistId')},
      ${param.timestamptz('startsAt')}, ${param.timestamptz('endsAt')}, ${param.text('timeZone')},
      ${LOCAL_VALUES}, ${param.int('version')}, ${param.int('cancellationCutoffMinutes')},
      ${nullable(param.int('priceAmount'))}, ${nullable(param.text('priceCurrency'))},
      ${param.text('externalReference')}, ${param.timestamptz('now')},
      ${nullable(param.text('consentSource'))}, ${nullable(param.text('consentTextVersion'))},
      ${param.bytea('customerName')}, ${param.bytea('customerPhone')},
      ${nullable(param.bytea('customerEmail'))}, ${nullable(param.text('customerLocale'))},
      ${nullable(param.bytea('note'))}, ${nullable(param.bytea('metadata'))},
      ${param.bytea('phoneHash')}, ${param.byteas('nameHashes')},
      ${param.timestamptz('now')}, ${param.timestamptz('now')}
    FROM claim RETURNING reference)`;

const RESCHEDULED = sql`booking AS (
    UPDATE bookings SET claim_id = claim.id, ${NEW_VERSION}, specialist_id = ${param.text('specialistId')}, starts_at = ${param.timestamptz('startsAt')},
      ends_at = ${param.timestamptz('endsAt')}, time_zone = ${param.text('timeZone')},
      (date, start_time, end_date, end_time, zone_rules) = ROW(${LOCAL_VALUES}),
      cancellation_cutoff_minutes = ${param.int('cancellationCutoffMinutes')}, updated_at = ${param.timestamptz('now')}
    FROM claim WHERE reference = ${param.text('reference')} RETURNING reference)`;

export const CREATE_BOOKING = {
  inNewClaim: statement<Changed>('booking-create-first-seat')`WITH ${NEW_CLAIM}, ${CREATED}, ${RECORDS} ${CHANGED}`,
  inOpenClaim: statement<Changed>('booking-create-further-seat')`WITH ${OPEN_CLAIM}, ${CREATED}, ${RECORDS} ${CHANGED}`,
};

/** Like `CREATE_BOOKING.inNewClaim`, but fails with `SEAT_TAKEN` if another write has taken the seat. */
export const CREATE_OR_FAIL = statement<never>(
  'booking-create-or-fail',
)`WITH ${NEW_CLAIM}, ${CREATED}, ${RECORDS} ${CHANGED_OR_FAILED}`;

export const RESCHEDULE_BOOKING = {
  inNewClaim: statement<Changed>(
    'booking-reschedule-first-seat',
  )`WITH ${NEW_CLAIM}, ${RESCHEDULED}, ${RECORDS} ${CHANGED}`,
  inOpenClaim: statement<Changed>(
    'booking-reschedule-further-seat',
  )`WITH ${OPEN_CLAIM}, ${RESCHEDULED}, ${RECORDS} ${CHANGED}`,
};

/** The caller must free the booking's seat. */
export const CANCEL_BOOKING = statement<Changed>('booking-cancel')`
  WITH booking AS (
    UPDATE bookings SET status = 'cancelled', claim_id = NULL, ${NEW_VERSION},
      cancelled_at = ${param.timestamptz('now')}, cancelled_by = ${nullable(param.text('cancelledBy'))},
      cancel_reason = ${nullable(param.text('cancelReason'))}, updated_at = ${param.timestamptz('now')}
    WHERE reference = ${param.text('reference')} RETURNING reference),
  ${RECORDS} ${CHANGED}`;

/** The version does not change (contract B7). */
export const SET_CONSENT_WITHDRAWN = statement<never>('booking-consent')`
  UPDATE bookings SET consent_withdrawn_at = ${nullable(param.timestamptz('withdrawnAt'))}
  WHERE reference = ${param.text('reference')}`;

/** Completes, marks as a no-show, or undoes that. The booking's seat stays taken (contract B7). */
export const SETTLE_BOOKING = statement<Changed>('booking-settle')`
  WITH booking AS (
    UPDATE bookings SET status = ${param.text('status')}::"BookingStatus", ${NEW_VERSION},
      reopened_at = coalesce(${nullable(param.timestamptz('reopenedAt'))}, reopened_at), updated_at = ${param.timestamptz('now')}
    WHERE reference = ${param.text('reference')} RETURNING reference),
  ${RECORDS} ${CHANGED}`;

export const LOCK_CLAIM = statement<{ taken: number }>('claim-lock')`
  SELECT taken FROM slot_claims WHERE id = ${param.uuid('claimId')} FOR UPDATE`;

export const DELETE_CLAIM = statement<never>('claim-delete')`
  DELETE FROM slot_claims WHERE id = ${param.uuid('claimId')}`;

export const FREE_SEAT = statement<never>('claim-free')`
  UPDATE slot_claims SET taken = taken - 1 WHERE id = ${param.uuid('claimId')}`;
