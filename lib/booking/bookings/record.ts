import type { BookingRecord } from '@/lib/contract/bookings';
import { lengthOf } from '@/lib/contract/text';
import { bookingTimes } from '../availability';
import { maskEmail, maskPhone, type Options, openCustomer, openOptions } from './customer';
import { type BookingRow, changeDeadline, priceOf } from './row';

const NO_OPTIONS: Options = { email: null, locale: null, note: null, metadata: null };

/** Formats an instant as RFC 3339 UTC with `Z` (contract B1). */
export function instant(date: Date): string {
  return date.toISOString();
}

/** Returns the booking as the partner sees it in a list at `now`, without its optional fields (contract B7, B19). */
export function bookingRecord(row: BookingRow, now: Date): BookingRecord {
  const customer = row.consent_withdrawn_at ? null : openCustomer(row);
  const active = row.status === 'confirmed';
  const deadline = changeDeadline(row);
  const changeable = active && now <= deadline;
  return {
    reference: row.reference,
    version: row.version,
    status: row.status,
    service_id: row.service_id,
    location_id: row.location_id,
    specialist_id: row.specialist_id,
    ...bookingTimes(row),
    external_reference: row.external_reference,
    price: priceOf(row),
    customer: { name: customer?.name ?? null, phone_masked: customer && maskPhone(customer.phone) },
    cancellable: changeable,
    reschedulable: changeable,
    change_deadline: active ? instant(deadline) : null,
    cancelled_at: row.cancelled_at && instant(row.cancelled_at),
    cancelled_by: row.cancelled_by,
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  };
}

/** Returns the booking as the partner sees it in a response about this booking (contract B7, B19). */
export function fullRecord(row: BookingRow, now: Date): BookingRecord {
  const record = bookingRecord(row, now);
  const { email, locale, note, metadata } = row.consent_withdrawn_at ? NO_OPTIONS : openOptions(row);
  return {
    ...record,
    customer: { ...record.customer, email_masked: email === null ? null : maskEmail(email), locale },
    note_characters: note === null ? null : lengthOf(note),
    metadata,
  };
}
