import type { BookingStatus } from '@/lib/platform/generated/prisma/client';

/** A booking as its table holds it. */
export type BookingRow = {
  reference: string;
  tenant_id: string;
  application_id: string;
  claim_id: string | null;
  status: BookingStatus;
  version: number;
  service_id: string;
  location_id: string;
  specialist_id: string;
  starts_at: Date;
  ends_at: Date;
  time_zone: string;
  cancellation_cutoff_minutes: number;
  external_reference: string;
  consent_at: Date;
  customer_name: Buffer | null;
  customer_phone: Buffer | null;
  cancelled_at: Date | null;
  cancelled_by: 'partner' | 'owner' | null;
  cancel_reason: string | null;
  created_at: Date;
  updated_at: Date;
};

/** The columns of `BookingRow`, for SELECT and RETURNING. */
export const BOOKING_COLUMNS = `reference, tenant_id, application_id, claim_id, status, version, service_id, location_id,
  specialist_id, starts_at, ends_at, time_zone, cancellation_cutoff_minutes, external_reference, consent_at,
  customer_name, customer_phone, cancelled_at, cancelled_by, cancel_reason, created_at, updated_at`;

/** Returns when the booking can be changed for the last time, inclusive (contract B7). */
export function changeDeadline(row: Pick<BookingRow, 'starts_at' | 'cancellation_cutoff_minutes'>): Date {
  return new Date(row.starts_at.getTime() - row.cancellation_cutoff_minutes * 60_000);
}
