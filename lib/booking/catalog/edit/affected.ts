import { createHash } from 'node:crypto';
import type { KindName } from './kind';
import {
  type Checked,
  type CheckedBooking,
  checkBookings,
  MAX_LISTED,
  type Outside,
  type OutsideBooking,
  outsideOf,
  type Reason,
  readChecked,
  type Scope,
} from './outside';
import { type By, type Change, changeCatalog } from './write';

/** That a change puts outside the catalog (see `Outside` in `outside.ts`). */
export type Affected = {
  count: number;
  /** False if there are more future bookings than were checked. */
  complete: boolean;
  /** At most `MAX_LISTED`, soonest first. */
  first: OutsideBooking[];
  /** Hash of the references of all affected bookings. An owner confirms the change with it. */
  digest: string;
};

/** The change was not made, because an owner must confirm its effect on bookings. */
export type Unconfirmed = { affected: Affected };

/** Rolls back the transaction of an unconfirmed change. */
class UnconfirmedRollback extends Error {
  constructor(readonly affected: Affected) {
    super();
  }
}

/** The `Affected.digest` of the confirmation. If undefined, the change needs none. */
export type Confirmed = string | undefined;

/**
 * Runs a change like `changeCatalog`. Returns the result of `work` and, as `outside`, the bookings in `scope` outside
 * the catalog after it. If the change puts bookings outside, and the owner has not confirmed exactly these, rolls back
 * and returns them as `affected`.
 * @throws AppError like `changeCatalog`.
 */
export async function changeConfirmed<T extends object>(
  now: Date,
  { scope, confirmed, ...by }: By & { scope: Scope; confirmed: Confirmed },
  work: (change: Change) => Promise<T>,
): Promise<(T & { outside: Outside }) | Unconfirmed> {
  const { tenantId } = by;
  try {
    return await changeCatalog(now, by, async (change) => {
      const { tx } = change;
      const before = confirmed === undefined ? null : await checkBookings(tx, tenantId, now, scope);
      const result = await work(change);
      const after = await checkBookings(tx, tenantId, now, scope);
      const affected = before && affectedBetween(before, after);
      if (affected && affected.count > 0 && affected.digest !== confirmed) throw new UnconfirmedRollback(affected);
      return { ...result, outside: outsideOf(after) };
    });
  } catch (error) {
    if (error instanceof UnconfirmedRollback) return { affected: error.affected };
    throw error;
  }
}

function affectedBetween(before: Checked, after: Checked): Affected {
  const known = new Set(before.bookings.flatMap(({ reference, reason }) => (reason ? [reference] : [])));
  return affectedOf(
    after,
    after.bookings.flatMap((booking) =>
      booking.reason && !known.has(booking.reference) ? [{ ...booking, reason: booking.reason }] : [],
    ),
  );
}

type Found = CheckedBooking & { reason: Reason };

function affectedOf({ complete }: Checked, found: readonly Found[]): Affected {
  return {
    count: found.length,
    complete,
    first: found.slice(0, MAX_LISTED).map(({ listed, reason }) => listed(reason)),
    digest: digestOf(found),
  };
}

/** Returns the hash of the references of bookings by which an owner confirms exactly these. */
export function digestOf(bookings: readonly { reference: string }[]): string {
  const references = bookings.map(({ reference }) => reference).sort();
  return createHash('sha256').update(references.join('\n')).digest('hex');
}

/**
 * Returns the future bookings that would be outside the catalog if the records in `scope` were unpublished. Omits
 * bookings that are already outside it.
 */
export async function affectedByUnpublishing(
  tenantId: string,
  now: Date,
  scope: { kind: KindName; ids: readonly string[] },
): Promise<Affected> {
  const checked = await readChecked(tenantId, now, scope);
  const reason: Reason = `${scope.kind}_unpublished`;
  return affectedOf(
    checked,
    checked.bookings.flatMap((booking) => (booking.reason ? [] : [{ ...booking, reason }])),
  );
}
