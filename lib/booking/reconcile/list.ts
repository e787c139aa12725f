import type { Policy } from '@/lib/access/applications/policy';
import type { BookingRecord } from '@/lib/contract/bookings';
import { pool } from '@/lib/platform/db';
import { bind } from '@/lib/platform/sql';
import { inTenant } from '@/lib/platform/tenant-scope';
import { recordsOf } from '../bookings/list-by-reference';
import type { BookingRow } from '../bookings/row';
import { readInTurn } from '../read-turns';
import { type Latest, latestEvent, ownValues, startsBetween } from './state';
import { PAGES } from './statements';

/** Null: any. At least one of `days`, `updatedSince`, and `externalReference` is given. */
export type Filter = {
  days: { from: string; to: string } | null;
  /** An ISO 8601 timestamp. */
  updatedSince: string | null;
  externalReference: string | null;
  status: string | null;
  locationId: string | null;
};

/** The end of a page: its last reference, and the latest event when the list began. */
export type Position = Latest & { after: string };

export type BookingsPage = { bookings: BookingRecord[]; latest: Latest; next: Position | null };

/**
 * Returns a page of the calling application's bookings at its locations, by reference (contract B16).
 * @throws AppError service_unavailable as `latestEvent`.
 */
export async function listBookings(
  policy: Policy,
  filter: Filter,
  { position, limit, now }: { position: Position | null; limit: number; now: Date },
): Promise<BookingsPage> {
  return readInTurn('bookings', policy, async () => {
    // Before the page: a change that commits between both has a later sequence, and can be in both.
    const latest = position ?? (await latestEvent(policy, filter.days !== null));
    const query = queryOf(policy, filter, position?.after ?? '', limit + 1);
    const { rows } = await inTenant(policy.tenantId, () => pool().query<BookingRow>(query));
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      bookings: await recordsOf(policy, shown, now),
      latest,
      next: last ? { after: last.reference, sequence: latest.sequence, committedAt: latest.committedAt } : null,
    };
  });
}

function queryOf(policy: Policy, filter: Filter, after: string, rows: number) {
  const { days, updatedSince, externalReference, status, locationId } = filter;
  const values = {
    ...ownValues(policy),
    after,
    rows,
    externalReference: externalReference ?? '',
    status: status ?? '',
    locationId: locationId ?? '',
  };
  const range = days && { ...days, ...startsBetween(days.from, days.to) };
  if (range && updatedSince !== null) return bind(PAGES.daysChanged, { ...values, ...range, updatedSince });
  if (range) return bind(PAGES.days, { ...values, ...range });
  if (updatedSince !== null) return bind(PAGES.changed, { ...values, updatedSince });
  return bind(PAGES.reference, values);
}
