import type { BookingStatus } from '@/lib/platform/generated/prisma/client';

export type BookingRow = {
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
  /** Null until derived (see `derive-local.ts`). */
  date: string | null;
  start_time: string | null;
  /** Null until derived. */
  end_date: string | null;
  end_time: string | null;
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
  customer_email: Buffer | null;
  customer_locale: string | null;
  note: Buffer | null;
  metadata: Buffer | null;
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

/** Returns the last time at which a partner can change the booking, inclusive (contract B7). */
export function changeDeadline(row: Pick<BookingRow, 'starts_at' | 'cancellation_cutoff_minutes'>): Date {
  return new Date(row.starts_at.getTime() - row.cancellation_cutoff_minutes * 60_000);
}
