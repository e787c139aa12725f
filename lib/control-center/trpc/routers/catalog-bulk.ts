import { z } from 'zod';
import {
  changePrices,
  closeLocations,
  datesOf,
  MAX_CLOSED_DAYS,
  setPublishedMany,
} from '@/lib/booking/catalog/edit/bulk';
import { LOCATIONS } from '@/lib/booking/catalog/edit/location-kind';
import { schedulePrices, unschedulePrices } from '@/lib/booking/catalog/edit/scheduled-prices';
import { SERVICES } from '@/lib/booking/catalog/edit/service-kind';
import { SPECIALISTS } from '@/lib/booking/catalog/edit/specialist-kind';
import { boundedText } from '@/lib/contract/bounded-text';
import { price } from '@/lib/contract/catalog';
import { recordId, storedDate } from '@/lib/contract/common';
import { ownerProcedure, router } from '../init';
import { count } from '../inputs';
import { confirmedInput, outsideShape, unconfirmedShape } from './catalog-shapes';

/** Also the maximum of locations, services, and specialists in a catalog, so one change can include all records of a kind. */
const MAX_IDS = 1_000;

const ids = z.array(recordId).min(1).max(MAX_IDS, 'must contain at most 1,000 entries');

/** `undo` contains the ids of audit entries (see `audit.undo`). */
const changedShape = z.union([
  z.strictObject({ changed: count, outside: outsideShape, undo: z.array(z.string()) }),
  unconfirmedShape,
]);

const scheduledShape = z.strictObject({ changed: count, undo: z.array(z.string()) });

const priceChanges = z
  .array(z.strictObject({ id: recordId, before: price, amount: count }))
  .min(1)
  .max(MAX_IDS, 'must contain at most 1,000 entries');

const closure = z
  .strictObject({
    location_ids: ids,
    from: storedDate,
    to: storedDate,
    note: boundedText(500).nullable(),
    confirmed: confirmedInput,
  })
  .refine(({ from, to }) => to >= from, { message: 'must not be before the first day', path: ['to'] })
  .refine((dates) => datesOf(dates).length <= MAX_CLOSED_DAYS, {
    message: `must be at most ${MAX_CLOSED_DAYS} days long`,
    path: ['to'],
  });

/** Procedures that change several catalog records at once. Each call changes all of its records or none. */
export const bulkRouter = router({
  set_published: ownerProcedure
    .input(
      z.strictObject({
        kind: z.enum(['service', 'location', 'specialist']),
        ids,
        published: z.boolean(),
        confirmed: confirmedInput,
      }),
    )
    .output(changedShape)
    .mutation(({ ctx: { by, now }, input: { kind, published, ...many } }) => {
      if (kind === 'service') return setPublishedMany(SERVICES, now, { ...by, ...many }, published);
      if (kind === 'location') return setPublishedMany(LOCATIONS, now, { ...by, ...many }, published);
      return setPublishedMany(SPECIALISTS, now, { ...by, ...many }, published);
    }),

  close: ownerProcedure
    .input(closure)
    .output(changedShape)
    .mutation(({ ctx: { by, now }, input: { location_ids, confirmed, note, ...dates } }) => {
      const days = datesOf(dates).map((date) => ({ date, note }));
      return closeLocations(now, { ...by, ids: location_ids, confirmed }, days);
    }),

  /** Closes locations on single dates, such as public holidays. */
  close_days: ownerProcedure
    .input(
      z.strictObject({
        location_ids: ids,
        days: z
          .array(z.strictObject({ date: storedDate, note: boundedText(500).nullable() }))
          .min(1)
          .max(MAX_CLOSED_DAYS, `must contain at most ${MAX_CLOSED_DAYS} entries`),
        confirmed: confirmedInput,
      }),
    )
    .output(changedShape)
    .mutation(({ ctx: { by, now }, input: { location_ids, days, confirmed } }) =>
      closeLocations(now, { ...by, ids: location_ids, confirmed }, days),
    ),

  set_prices: ownerProcedure
    .input(z.strictObject({ changes: priceChanges }))
    .output(changedShape)
    .mutation(({ ctx: { by, now }, input: { changes } }) => changePrices(now, by, changes)),

  /** Changes prices on a later date, in the time zone of the business. */
  schedule_prices: ownerProcedure
    .input(z.strictObject({ changes: priceChanges, valid_from: storedDate }))
    .output(scheduledShape)
    .mutation(({ ctx: { by, now }, input: { changes, valid_from } }) => schedulePrices(now, by, changes, valid_from)),

  unschedule_prices: ownerProcedure
    .input(z.strictObject({ ids }))
    .output(scheduledShape)
    .mutation(({ ctx: { by, now }, input }) => unschedulePrices(now, by, input.ids)),
});
