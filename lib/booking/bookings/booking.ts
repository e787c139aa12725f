import type { BookingRecord } from '@/lib/contract/bookings';
import { lengthOf } from '@/lib/contract/text';
import type { BookingStatus } from '@/lib/platform/generated/prisma/client';
import { bookingTimes } from '../local-times';
import { maskEmail, maskPhone, type Options, openCustomer, openOptions, type SealedOptions } from './customer';

export type BookingRow = SealedOptions & {
  reference: string;
  tenant_id: string;
  /** Null for a booking of the business. */
  application_id: string | null;
  claim_id: string | null;
  status: BookingStatus;
  version: number;
  service_id: string;
  location_id: string;
  specialist_id: string;
  starts_at: Date;
  ends_at: Date;
  time_zone: string;
  /** Local, as the customer was told. */
  date: string;
  start_time: string;
  end_date: string;
  end_time: string;
  cancellation_cutoff_minutes: number;
  price_amount: number | null;
  price_currency: string | null;
  external_reference: string;
  consent_at: Date;
  consent_source: string | null;
  consent_text_version: string | null;
  consent_withdrawn_at: Date | null;
  customer_name: Buffer | null;
  customer_phone: Buffer | null;
  cancelled_at: Date | null;
  cancelled_by: 'partner' | 'owner' | null;
  cancel_reason: string | null;
  created_at: Date;
  updated_at: Date;
};

/** Returns the price of a seat when the booking was made (contract B7), or null. */
export function priceOf({ price_amount, price_currency }: Pick<BookingRow, 'price_amount' | 'price_currency'>) {
  return price_amount === null || price_currency === null ? null : { amount: price_amount, currency: price_currency };
}

/** Returns what describes a booking. It has no personal data, so it is kept after the customer is anonymized. */
export function auditedBooking(of: Pick<BookingRow, 'date' | 'start_time'> & { service_name: string }) {
  return { service: of.service_name, date: of.date, start_time: of.start_time };
}

/** Returns the last time at which a partner can change the booking, inclusive (contract B7). */
export function changeDeadline(row: Pick<BookingRow, 'starts_at' | 'cancellation_cutoff_minutes'>): Date {
  return new Date(row.starts_at.getTime() - row.cancellation_cutoff_minutes * 60_000);
}

const NO_OPTIONS: Options = { email: null, locale: null, note: null, metadata: null };

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
    change_deadline: active ? deadline.toISOString() : null,
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
    cancelled_by: row.cancelled_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
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
