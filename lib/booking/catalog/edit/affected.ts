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

/** The future bookings that a change puts outside the catalog (see `Outside` in `outside.ts`). */
export type Affected = {
  count: number;
  /** False if there are more future bookings than were checked. */
  complete: boolean;
  /** The soonest of the affected bookings, at most `MAX_LISTED`. */
  first: OutsideBooking[];
  /** A hash of the references of all affected bookings. To confirm the change, an owner sends this hash back. */
  digest: string;
};

/** The result of a change that was not made, because an owner must confirm its effect on bookings. */
export type Unconfirmed = { affected: Affected };

/** Thrown to roll back the transaction of an unconfirmed change. */
class UnconfirmedRollback extends Error {
  constructor(readonly affected: Affected) {
    super();
  }
}

/**
 * The `Affected.digest` that the owner sent back to confirm a change. If undefined, the change is made without a
 * confirmation.
 */
export type Confirmed = string | undefined;

/**
 * Runs a change to the catalog like `changeCatalog`. Returns the result of `work` and, as `outside`, the bookings in
 * `scope` that are outside the catalog after the change, even if they were outside before. If the change puts bookings
 * outside the catalog, the owner must first confirm exactly these bookings (see `Confirmed`). Until then, rolls the
 * change back and returns only these bookings, as `affected`.
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
  const references = found.map(({ reference }) => reference).sort();
  return {
    count: found.length,
    complete,
    first: found.slice(0, MAX_LISTED).map(({ listed, reason }) => listed(reason)),
    digest: createHash('sha256').update(references.join('\n')).digest('hex'),
  };
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
